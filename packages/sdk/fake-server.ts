/** For tests of applications: a server without a network that decides as the real one does. */
import { isOfrep, ofrepError } from '#engine/access/ofrep-error';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { usageMeter } from '#engine/entitlements/usage-reads';
import { checkValue } from '#engine/values/kinds/check-value';
import { CALLS } from './fake/calls.ts';
import { CUSTOMER_CALLS } from './fake/customer-calls.ts';
import { DECIDING } from './fake/deciding.ts';
import { FakeApi } from './fake/fake-api.ts';
import { signToken } from './fake/fake-tokens.ts';
import { meetFault } from './fake/faults.ts';
import { HOLD_CALLS } from './fake/hold-calls.ts';
import { OFREP_CALLS } from './fake/ofrep-calls.ts';
import { PLAN_CALLS } from './fake/plan-calls.ts';
import { SALES_CALLS } from './fake/sales-calls.ts';
import { FAKE, serveFake } from './fake/serve-fake.ts';
import type { Plan } from './index.ts';

/** A version as the console exports it. */
export interface VersionJson {
  readonly formatVersion: number;
}

/** `down`: no connection. `silent`: no answer. `lost`: the call is served, and its answer lost. `page`: another server answers. Or a status. */
export type Fault = 'down' | 'silent' | 'lost' | 'page' | 401 | 429 | 500 | 503;

export interface FakeServer {
  /** For the option `fetch` of any client. */
  readonly fetch: typeof globalThis.fetch;
  readonly url: string;
  readonly secretKey: string;
  readonly publicKey: string;
  /** A token for `userJwt`. Default: it lives for ten minutes. */
  token(email: string, claims?: Readonly<Record<string, unknown>>): string;
  /** @throws {Error} if the version has no such plan */
  grant(user: string, plan: Plan): void;
  /**
   * Overrides what plans say, by path. A meter is `on`, `off`, or has a limit.
   * @throws {Error} if the version has no such property, or the value does not fit it
   */
  set(
    user: string,
    values: { readonly [path: string]: boolean | number | string | { readonly limit: number } },
  ): void;
  /** What was counted, in the window of the property's default, or of all time. */
  used(user: string, meter: string): number;
  /** What happens to the next calls. */
  fail(fault: Fault, times?: number): void;
  /** Moves the server's clock, which is otherwise that of the machine. Clients keep theirs: `refresh` makes them ask. */
  advance(ms: number): void;
  readonly calls: readonly { readonly method: string; readonly path: string; readonly body: unknown }[];
}

export function createFakeServer(version: VersionJson): FakeServer {
  if (version.formatVersion !== 1) throw new Error('This version was written by another release of Tessera');
  return serveVersion(version as unknown as ArtifactContent);
}

function serveVersion(content: ArtifactContent): FakeServer {
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const api = new FakeApi(content, now, DECIDING);
  const faults: Fault[] = [];
  const calls: { method: string; path: string; body: unknown }[] = [];
  const setByTest = () => ({ until: null, reason: 'Set by the test', createdAt: now() });
  const propertyAt = (path: string) => {
    const dot = path.indexOf('.');
    const property = api.prepared.featureBySlug
      .get(path.slice(0, dot))
      ?.propertyByKey.get(path.slice(dot + 1));
    if (property === undefined) throw new Error(`The version has no ${path}`);
    return property;
  };
  return {
    ...FAKE,
    calls,
    fetch: serveFake({
      ...FAKE,
      api,
      routes: [...CALLS, ...HOLD_CALLS, ...OFREP_CALLS, ...PLAN_CALLS, ...SALES_CALLS, ...CUSTOMER_CALLS],
      bodyOf: (refused, url) => (isOfrep(url) ? ofrepError(refused, url) : refused),
      meet: (request, serve) => meetFault(faults.shift(), request, serve),
      record: (call) => calls.push(call),
    }),
    token(email, claims) {
      return signToken({ email, exp: Math.floor(now() / 1000) + 600, ...claims });
    },
    grant(user, plan) {
      const found = api.prepared.content.plans.find(({ slug }) => slug === plan);
      if (found === undefined) throw new Error(`The version has no plan ${plan}`);
      api.customers.named(user).putGrant({ planId: found.id, ...setByTest() });
    },
    set(user, values) {
      const customer = api.customers.named(user);
      for (const [path, given] of Object.entries(values)) {
        const { property } = propertyAt(path);
        const value = property.type === 'meterable' ? meterableOf(given, property.value) : given;
        const [issue] = checkValue(property, value);
        if (issue !== undefined) throw new Error(`${path}: ${issue.message}`);
        customer.putOverride({ propertyId: property.id, value: value as never, ...setByTest() });
      }
    },
    used(user, meter) {
      const found = propertyAt(meter);
      const { property } = found;
      const { value } = property;
      const window =
        typeof value === 'object' && value.state === 'metered'
          ? value.meter
          : { ...LIFETIME, uniqueResourceIds: usageMeter(api.resolutionOf(user), found).uniqueResourceIds };
      return api.customers.named(user).meters.read(property.id, window, now()).used;
    },
    fail(fault, times = 1) {
      for (let time = 0; time < times; time++) faults.push(fault);
    },
    advance(ms) {
      aheadMs += ms;
    },
  };
}

const LIFETIME = { limit: 0, periodType: 'lifetime', uniqueResourceIds: false } as const;

/** @param known the property's default: its window stays */
function meterableOf(given: unknown, known: unknown): unknown {
  if (given === 'on' || given === true) return { state: 'on' };
  if (given === 'off' || given === false) return { state: 'off' };
  const { meter = LIFETIME } = (known ?? {}) as { meter?: object };
  return { state: 'metered', meter: { ...meter, limit: (given as { limit: number }).limit } };
}
