/** An answer of the API as it is kept: read once, and safe whatever the server's version or the names in it. */
import type { Access, Meter, PropertyValue, Source } from '../index.ts';
import { elapsedMs } from './clock.ts';
import { notOurs } from './error.ts';

interface Feature {
  readonly allowed: boolean;
  readonly properties: Readonly<Record<string, PropertyValue>>;
}

export interface Answer {
  /** By slug. */
  readonly features: Readonly<Record<string, Feature>>;
  readonly plans: readonly string[];
  readonly version: Access['version'];
  readonly warnings: Access['warnings'];
  readonly requestId: string | null;
  /** By `elapsedMs`: when it was asked, and until when it may be used. */
  readonly at: number;
  readonly validUntil: number;
}

export const isObject = (value: unknown): value is Record<string, unknown> => Object(value) === value;

/** Names that mean something to JavaScript stay names. */
function mapped<From, To>(object: object, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value as From)]));
}

/**
 * Of the API, or of `toJSON`, which has the same shape. How long it is valid is a span of the writer's clock, so that ours may be wrong.
 * @throws {TesseraError} if it is not an answer
 */
export function readAnswer({
  body,
  at,
}: {
  readonly body: Record<string, unknown>;
  readonly at: number;
}): Answer {
  if (!isObject(body.features)) throw notOurs('no features');
  const { customer, version = null, warnings = [], requestId = null, ageMs = 0, asOf, validUntil } = body;
  return {
    features: mapped(body.features, readFeature),
    plans: (customer as { plans?: string[] } | null)?.plans ?? [],
    version: version as Access['version'],
    warnings: warnings as Access['warnings'],
    requestId: requestId as string | null,
    at: at - (ageMs as number),
    validUntil: at + Math.max((validUntil as number) - (asOf as number) || 0, 0),
  };
}

function readFeature(feature: unknown): Feature {
  const { allowed, properties = {} } = Object(feature);
  return {
    allowed: allowed !== false,
    properties: mapped(properties, (value) =>
      isObject(value) ? readMeter(value) : (value as PropertyValue),
    ),
  };
}

/** A state that this version does not know is as good as what it allows. */
export function readMeter({
  state,
  allowed,
  limit,
  used,
  held,
  remaining,
  resetsAt,
  entity,
}: Record<string, unknown>): Meter {
  const isOn = allowed === true;
  const each = entity ? { entity } : {};
  if (state !== 'metered') return { state: isOn ? 'on' : 'off', allowed: isOn, ...each } as Meter;
  const date = resetsAt ? new Date(resetsAt as number) : null;
  return {
    state,
    allowed: isOn,
    limit,
    used,
    ...(held ? { held } : {}),
    remaining,
    resetsAt: date,
    ...each,
  } as Meter;
}

/** Slug and key by path: an application reads few paths, and reading one again cuts no text. */
const parts = new Map<string, readonly [slug: string, key: string]>();
const MAX_PATHS = 10_000;

/** The value of `feature.property`, or the verdict of `feature`; undefined if there is none. */
export function valueAt({ features }: Answer, path: string): PropertyValue | undefined {
  let part = parts.get(path);
  if (!part) {
    const dot = `${path}.`.indexOf('.');
    part = [path.slice(0, dot), path.slice(dot + 1)];
    if (parts.size < MAX_PATHS) parts.set(path, part);
  }
  const [slug, key] = part;
  const feature = own(features, slug);
  return feature && (key ? own(feature.properties, key) : feature.allowed);
}

function own<Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export function isAllowed(value: PropertyValue | undefined): boolean {
  return value === true || Object(value).allowed === true;
}

export function accessOf(answer: Answer, source: Source): Access {
  const { at, validUntil, plans, ...shown } = answer;
  const now = elapsedMs();
  return {
    ...shown,
    features: mapped(shown.features, ({ properties }: Feature) => properties) as Access['features'],
    plans: plans as Access['plans'],
    source,
    ageMs: now - at,
    validUntil: new Date(Date.now() + validUntil - now),
    can: (gate) => isAllowed(valueAt(answer, gate)),
    get: (path) => valueAt(answer, path) as never,
    toJSON: () => {
      const [asOf, since] = [Date.now(), elapsedMs()];
      return {
        ...shown,
        v: 1,
        customer: { plans },
        asOf,
        ageMs: since - at,
        validUntil: asOf + validUntil - since,
      };
    },
  };
}
