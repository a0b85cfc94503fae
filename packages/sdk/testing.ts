/** For tests of applications: clients whose answers you state. */
import { CALLS } from './fake/calls.ts';
import { FakeApi } from './fake/fake-api.ts';
import { FAKE, serveFake } from './fake/serve-fake.ts';
import { statedUsage, statedVersion } from './fake/stated-version.ts';
import { type AccessJson, createTessera, type PropertyValue, type Tessera } from './index.ts';

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
  const version = statedVersion(values);
  const api = new FakeApi(version, Date.now, undefined, statedUsage(values, version));
  const { url, secretKey: key } = FAKE;
  // What is not stated is denied, and no mistake.
  const onEvent = () => {};
  return createTessera({ url, key, fetch: serveFake({ api, routes: CALLS }), onEvent });
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
