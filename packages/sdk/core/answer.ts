/** An answer of the API as it is kept: read once, and safe whatever the server's version or the names in it. */
import type { Access, Meter, PropertyValue, Source } from '../index.ts';

export interface Answer {
  readonly features: Readonly<Record<string, Readonly<Record<string, PropertyValue>>>>;
  /** Slugs of features that are not allowed. */
  readonly denied: readonly string[];
  readonly plans: readonly string[];
  readonly version: Access['version'];
  readonly warnings: Access['warnings'];
  readonly requestId: string | null;
  /** Of our clock, epoch milliseconds: when it was asked, and until when it may be used. */
  readonly at: number;
  readonly validUntil: number;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Of the API, or of `toJSON`, which has the same shape. How long it is valid is a span of the writer's clock, so that ours may be wrong.
 * @returns null if it is not an answer
 */
export function readAnswer(body: Record<string, unknown>, at: number): Answer | null {
  if (!isObject(body.features)) return null;
  const denied: string[] = [];
  const features = Object.entries(body.features).map(([slug, feature]) => {
    const { properties = {}, allowed = true } = isObject(feature) ? feature : {};
    if (allowed === false) denied.push(slug);
    return [slug, Object.fromEntries(Object.entries(properties as object).map(readProperty))];
  });
  const span = Number(body.validUntil) - Number(body.asOf);
  const { plans } = (body.customer ?? {}) as { plans?: string[] };
  return {
    features: Object.fromEntries(features),
    denied,
    plans: plans ?? [],
    version: (body.version ?? null) as Access['version'],
    warnings: (body.warnings ?? []) as Access['warnings'],
    requestId: (body.requestId ?? null) as string | null,
    at: at - Number(body.ageMs ?? 0),
    validUntil: at + Math.max(span || 0, 0),
  };
}

function readProperty([key, value]: [string, unknown]): [string, PropertyValue] {
  return [key, isObject(value) ? readMeter(value) : (value as PropertyValue)];
}

/** A state that this version does not know is as good as what it allows. */
export function readMeter({
  state,
  allowed,
  limit,
  used,
  remaining,
  resetsAt,
}: Record<string, unknown>): Meter {
  if (state !== 'metered')
    return allowed === true ? { state: 'on', allowed } : { state: 'off', allowed: false };
  const date = resetsAt ? new Date(resetsAt as number) : null;
  return { state, allowed: allowed === true, limit, used, remaining, resetsAt: date } as Meter;
}

/** The value of `feature.property`, or the verdict of `feature`; undefined if there is none. */
export function valueAt({ features, denied }: Answer, path: string): PropertyValue | undefined {
  const dot = path.indexOf('.');
  const slug = dot === -1 ? path : path.slice(0, dot);
  if (!Object.hasOwn(features, slug)) return undefined;
  if (dot === -1) return !denied.includes(slug);
  const properties = features[slug] as Record<string, PropertyValue>;
  const key = path.slice(dot + 1);
  return Object.hasOwn(properties, key) ? properties[key] : undefined;
}

export function isAllowed(value: PropertyValue | undefined): boolean {
  return typeof value === 'object' ? value.allowed : value === true;
}

/** Whether a value may stand where the fallback does: its type could have changed with a deployment. */
export function isLike(value: unknown, fallback: unknown): boolean {
  return value !== undefined && typeof value === typeof fallback;
}

export function accessOf(answer: Answer, source: Source): Access {
  const { at, validUntil, denied, plans, ...shown } = answer;
  const { features } = shown;
  return {
    ...(shown as Pick<Access, 'features' | 'version' | 'warnings' | 'requestId'>),
    plans: plans as Access['plans'],
    source,
    ageMs: Math.max(0, Date.now() - at),
    validUntil: new Date(validUntil),
    can: (gate) => isAllowed(valueAt(answer, gate)),
    get: (path) => valueAt(answer, path) as never,
    toJSON: () => {
      const asOf = Date.now();
      const written = Object.entries(features).map(([slug, properties]) => [
        slug,
        { allowed: !denied.includes(slug), properties },
      ]);
      return {
        ...shown,
        v: 1,
        features: Object.fromEntries(written),
        customer: { plans },
        asOf,
        ageMs: asOf - at,
        validUntil: Math.max(asOf, validUntil),
      };
    },
  };
}
