/** For tests of applications: clients whose answers you state. */
import type { Meter as CountedMeter, PropertyValue as StoredValue } from '#contracts/public/values';
import { planSetOf } from '#engine/entitlements/plan-set';
import { resolve } from '#engine/entitlements/resolve';
import { CALLS } from './fake/calls.ts';
import { type Deciding, FakeApi } from './fake/fake-api.ts';
import { HOLD_CALLS } from './fake/hold-calls.ts';
import { FAKE, serveFake } from './fake/serve-fake.ts';
import { type Stated, statedUsage, statedVersion } from './fake/stated-version.ts';
import { type AccessJson, createTessera, type PropertyValue, type Tessera } from './index.ts';

/** Nobody has anything but what is stated. */
const STATED: Deciding = {
  resolve: (prepared) => ({ resolution: resolve(prepared, planSetOf([])), until: Infinity }),
  count: (customer, update, now) => customer.count(update, now),
};

/** A meter of which only what a test is about is stated. */
export interface StatedMeter {
  /** Default: 100. */
  readonly limit?: number;
  /** By each customer, before the test counts. Default: 0, or what `remaining` leaves. */
  readonly used?: number;
  readonly remaining?: number;
  /** False without a limit: the limit is reached. */
  readonly allowed?: boolean;
  /** The window of the calendar, UTC, after which usage resets. Default: it never does. */
  readonly per?: 'hour' | 'day' | 'month';
  /** Counts each resource once, such as seats. */
  readonly perResource?: boolean;
}
export type StatedValue = PropertyValue | StatedMeter;

/**
 * A client whose answers you state, by path. Features that are named are allowed unless `feature: false`; anything else is denied.
 * Usage is counted and refused as the API does, each customer's from what is stated.
 */
export function createFakeTessera(values: { readonly [path: string]: StatedValue } = {}): Tessera {
  const stated = storedValues(values);
  const api = new FakeApi(statedVersion(stated), Date.now, STATED, statedUsage(stated));
  const { url, secretKey: key } = FAKE;
  // What is not stated is denied, and no mistake.
  const onEvent = () => {};
  return createTessera({ url, key, fetch: serveFake({ api, routes: [...CALLS, ...HOLD_CALLS] }), onEvent });
}

function storedValues(values: { readonly [path: string]: StatedValue }): Stated {
  return new Map(
    Object.entries(values).map(([path, stated]) => [
      path,
      typeof stated === 'object'
        ? { value: meterOf(stated), used: usedOf(stated as StatedMeter) }
        : { value: stated, used: 0 },
    ]),
  );
}

const LIMIT = 100;

function usedOf({ used, remaining, limit = LIMIT }: StatedMeter): number {
  return used ?? (remaining === undefined ? 0 : limit - remaining);
}

function meterOf(stated: Exclude<StatedValue, string | number | boolean>): StoredValue {
  const { state = 'metered' } = stated as { readonly state?: string };
  if (state !== 'metered') return { state: state as 'on' | 'off' };
  const { limit, remaining, per, perResource = false, allowed } = stated as StatedMeter;
  const used = usedOf(stated as StatedMeter);
  const known = limit ?? (allowed === false ? used : remaining === undefined ? LIMIT : used + remaining);
  const window: Pick<CountedMeter, 'periodType' | 'periodCount' | 'periodLength'> =
    per === undefined
      ? { periodType: 'lifetime' }
      : { periodType: 'rolling', periodCount: 1, periodLength: per };
  return { state: 'metered', meter: { limit: known, ...window, uniqueResourceIds: perResource } };
}

/** What a server renders for a browser: `bootstrap` there. */
export function accessJson(values: { readonly [path: string]: PropertyValue }): AccessJson {
  return { v: 1, features: featuresOf(values), asOf: 0, validUntil: 60_000 };
}

type StatedFeature = { allowed: boolean; readonly properties: Record<string, unknown> };

function featuresOf(values: { readonly [path: string]: StatedValue }): Record<string, StatedFeature> {
  const features: Record<string, StatedFeature> = {};
  for (const [path, value] of Object.entries(values)) {
    const dot = path.indexOf('.');
    const slug = dot === -1 ? path : path.slice(0, dot);
    features[slug] ??= { allowed: true, properties: {} };
    const feature = features[slug];
    if (dot === -1) feature.allowed = value === true;
    else
      feature.properties[path.slice(dot + 1)] = typeof value === 'object' ? { ...METERED, ...value } : value;
  }
  return features;
}

const METERED = { state: 'metered', allowed: true, limit: 100, used: 0, remaining: 100, resetsAt: null };
