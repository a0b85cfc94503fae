/** Decides calls of the public API from a version and customers in memory, with the engine that the server decides with. */
import type { CounterUpdate } from '#contracts/internal/ledger';
import { readIdentifier } from '#contracts/public/identifiers';
import type { Meter } from '#contracts/public/values';
import { reasonOf, type WarningCode, warningOf } from '#contracts/public/warnings';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { applyFacts } from '#engine/entitlements/apply-facts';
import { evaluateResolution } from '#engine/entitlements/evaluate';
import { explain } from '#engine/entitlements/explain';
import { planSources } from '#engine/entitlements/plan-sources';
import { prepare } from '#engine/entitlements/prepare';
import type { PreparedProperty } from '#engine/entitlements/prepared-artifact';
import type { Resolution } from '#engine/entitlements/resolution';
import { configuredValue, resolvedValue } from '#engine/entitlements/resolve';
import { usageMeter } from '#engine/entitlements/usage-reads';
import { type CountedMeter, countDenial, isFeatureOn } from '#engine/entitlements/verdict';
import { lacksResourceId } from '#engine/metering/lacks-resource-id';
import { readMeter } from '#engine/metering/read-meter';
import { BATCH, BATCHED_CHECK, CHECK, CHECKS, CONSUME, ensureRules, UPDATE } from './body-rules.ts';
import { FakeCustomer } from './fake-customer.ts';
import { verifyToken } from './fake-tokens.ts';
import { errorBody, invalidField, Refusal } from './refusal.ts';

type Body = Record<string, unknown>;
interface Warning {
  readonly code: WarningCode;
  readonly message: string;
}

/** A call whose key, path and query were accepted. */
export interface FakeCall {
  readonly body: Body;
  readonly isSecret: boolean;
  readonly isExplained: boolean;
  readonly headerKey: string | null;
  readonly requestId: string;
  readonly warnings: readonly Warning[];
}

interface Identity {
  readonly method: 'identifier' | 'jwt' | 'anonymous';
  readonly identifier: string | null;
  readonly expiresAt: number;
  readonly warnings: readonly Warning[];
}

const ANONYMOUS: Identity = {
  method: 'anonymous',
  identifier: null,
  expiresAt: Number.POSITIVE_INFINITY,
  warnings: [],
};

export class FakeApi {
  readonly prepared;
  readonly #now: () => number;
  readonly #customers = new Map<string, FakeCustomer>();

  constructor(content: ArtifactContent, now: () => number) {
    this.prepared = prepare(content);
    this.#now = now;
  }

  /** @param user however it is written */
  customer(user: string): FakeCustomer {
    const read = readIdentifier(user);
    const identifier = read.ok ? read.canonical : user;
    const customer = this.#customers.get(identifier) ?? new FakeCustomer(identifier);
    this.#customers.set(identifier, customer);
    return customer;
  }

  /** POST /api/v1/access-checks. @throws {Refusal} */
  check(call: FakeCall): object {
    const { body, isSecret, isExplained, requestId } = call;
    ensureRules(body, CHECK, []);
    const consume = body.consume as Body | undefined;
    if (consume !== undefined) ensureRules(consume, CONSUME, ['feature', 'property'], 'consume');
    const now = this.#now();
    const identity = this.#identify(body, isSecret, now);
    const { resolution, until } = this.#resolve(identity, now);
    const counted =
      consume && this.#count(identity, resolution, { ...consume, enforce: true }, call, 'consume', now);
    const readings =
      identity.identifier === null ? null : this.#read(identity.identifier, resolution, isExplained, now);
    const { features, validUntil, planSlugs } = evaluateResolution(
      resolution,
      readings,
      now,
      counted?.meter ?? null,
    );
    const only = body.features as readonly string[] | undefined;
    const unknown = (only ?? []).filter((slug) => !this.prepared.featureBySlug.has(slug));
    const { facts } =
      identity.identifier === null ? new FakeCustomer('') : this.customer(identity.identifier);
    const isAuthenticated = identity.identifier !== null;
    return {
      status: 'success',
      requestId,
      version: { artifactId: 'art_fake', number: null },
      asOf: now,
      validUntil: Math.max(now, Math.min(validUntil, until, identity.expiresAt)),
      identity: { isAuthenticated, method: identity.method },
      customer: {
        isCustomer: false,
        plans: planSlugs,
        ...(body.include !== undefined && { subscriptions: [] }),
      },
      ...(counted && { consumed: counted.answer }),
      ...(isExplained &&
        isSecret && {
          explanation: explain(
            resolution,
            planSources(this.prepared, { isAuthenticated }, facts, { environmentType: 'preview' }, now),
            readings,
          ).filter(({ feature }) => only?.includes(feature) !== false),
        }),
      features: Object.fromEntries(
        Object.entries(features).filter(([slug]) => only?.includes(slug) !== false),
      ),
      warnings: [
        ...identity.warnings,
        ...call.warnings,
        ...(isExplained && !isSecret ? [warningOf('explain-needs-secret-key')] : []),
        ...(counted?.warnings ?? []),
        ...unknown.map((slug) => warningOf('feature-unknown', slug)),
      ],
    };
  }

  /** POST /api/v1/counter-updates. @throws {Refusal} */
  update(call: FakeCall): object {
    const { body, requestId } = call;
    ensureRules(body, UPDATE, ['feature', 'property']);
    if (body.userIdentifier === undefined && body.userJwt === undefined) {
      throw invalidField('userIdentifier', 'Send userIdentifier or userJwt');
    }
    const now = this.#now();
    const identity = this.#identify(body, call.isSecret, now);
    const { resolution } = this.#resolve(identity, now);
    const { answer, denial, warnings } = this.#count(identity, resolution, body, call, '', now);
    const { accepted, replayed, applied, ...meter } = answer;
    return {
      status: 'success',
      requestId,
      accepted,
      replayed,
      applied,
      allowed: denial === null,
      ...(denial !== null && { reason: denial }),
      meter,
      warnings: [...identity.warnings, ...call.warnings, ...warnings],
    };
  }

  /** POST /api/v1/counter-updates/batch. @throws {Refusal} */
  updates(call: FakeCall, newId: () => string): object {
    if (call.headerKey !== null) throw invalidField('Idempotency-Key', 'Each update has a key of its own');
    ensureRules(call.body, BATCH, ['updates']);
    return resultsOf(call, call.body.updates, newId, (each) => this.update(each));
  }

  /** POST /api/v1/access-checks/batch. @throws {Refusal} */
  checks(call: FakeCall, newId: () => string): object {
    ensureRules(call.body, CHECKS, ['checks']);
    const { features, checks } = call.body;
    return resultsOf(call, checks, newId, (each) => {
      ensureRules(each.body, BATCHED_CHECK, []);
      return this.check({ ...each, body: { ...each.body, features }, warnings: call.warnings });
    });
  }

  /** A window that has all usage of the customer's meter, which says what counts once. */
  ofAllTime(user: string, property: PreparedProperty): Meter {
    const { resolution } = this.#resolve({ ...ANONYMOUS, identifier: user }, this.#now());
    const { uniqueResourceIds } = usageMeter(resolution, property);
    return { limit: 0, periodType: 'lifetime', uniqueResourceIds };
  }

  #identify({ userIdentifier, userJwt }: Body, isSecret: boolean, now: number): Identity {
    if (userJwt !== undefined) {
      const verdict = verifyToken(userJwt as string, now);
      if (typeof verdict === 'string') return { ...ANONYMOUS, warnings: [warningOf(verdict)] };
      return { method: 'jwt', ...verdict, warnings: [] };
    }
    if (userIdentifier === undefined) return ANONYMOUS;
    if (!isSecret) return { ...ANONYMOUS, warnings: [warningOf('identifier-needs-secret-key')] };
    const read = readIdentifier(userIdentifier as string);
    const identifier = read.ok ? read.canonical : '';
    return { method: 'identifier', identifier, expiresAt: Number.POSITIVE_INFINITY, warnings: [] };
  }

  #resolve({ identifier }: Identity, now: number) {
    const isAuthenticated = identifier !== null;
    const facts = isAuthenticated
      ? this.customer(identifier).facts
      : { version: 0, grants: [], overrides: [] };
    return applyFacts(this.prepared, { isAuthenticated }, facts, { environmentType: 'preview' }, now);
  }

  #read(identifier: string, resolution: Resolution, isWhole: boolean, now: number) {
    const { meters } = this.customer(identifier);
    const read = this.prepared.properties.filter((entry) => {
      const value = configuredValue(resolution, entry);
      return typeof value === 'object' && (isWhole || value.state === 'metered');
    });
    return new Map(
      read.map((entry) => [
        entry.property.id,
        meters.read(entry.property.id, usageMeter(resolution, entry), now),
      ]),
    );
  }

  #count(identity: Identity, resolution: Resolution, count: Body, call: FakeCall, path: string, now: number) {
    const at = (field: string) => (path === '' ? field : `${path}.${field}`);
    if (!call.isSecret) throw new Refusal(403, 'forbidden', 'Counting usage requires a secret key');
    if (identity.identifier === null) {
      const [why] = identity.warnings;
      if (why !== undefined) throw invalidField('userJwt', reasonOf(why));
      throw invalidField(
        'consume',
        'Requires a userIdentifier or a valid userJwt. Anonymous sessions have no usage.',
      );
    }
    if (
      call.headerKey !== null &&
      count.idempotencyKey !== undefined &&
      count.idempotencyKey !== call.headerKey
    ) {
      throw invalidField(at('idempotencyKey'), 'Differs from the header Idempotency-Key');
    }
    const idempotencyKey = (count.idempotencyKey ?? call.headerKey ?? undefined) as string | undefined;
    const occurredAt = occurredAtOf(count, now);
    if (occurredAt !== undefined && (occurredAt < now - 24 * 3_600_000 || occurredAt > now + 30_000)) {
      throw invalidField(at('occurredAt'), 'Must be at most 24 hours ago, or 30 seconds ahead');
    }
    const feature = this.prepared.featureBySlug.get(count.feature as string);
    if (feature === undefined) throw invalidField(at('feature'), 'The deployed version has no such feature');
    const property = feature.propertyByKey.get(count.property as string);
    if (property === undefined) throw invalidField(at('property'), 'The feature has no such property');
    if (property.type !== 'meterable') throw invalidField(at('property'), 'The property is not meterable');
    const update = updateOf(resolution, property, { ...count, idempotencyKey, occurredAt });
    const outcome = this.customer(identity.identifier).count(update, now);
    if (outcome.kind === 'too-large') throw invalidField(at('by'), 'The count would become too large');
    if (outcome.kind === 'conflict') {
      const message = 'Was used for a different request of this customer';
      throw new Refusal(
        409,
        'conflict',
        `The idempotencyKey was used for a different request of this customer`,
        {
          issues: [{ path: at('idempotencyKey'), message }],
        },
      );
    }
    const { accepted, replayed, applied, value, reading } = outcome;
    const meter = readMeter(value, reading ?? undefined, outcome.at);
    const isMissing = applied === 0 && lacksResourceId({ ...update, value });
    const counted: CountedMeter = { feature: feature.slug, accepted, meter };
    return {
      answer: { accepted, replayed, applied, ...meter },
      denial: countDenial(isFeatureOn(resolution, feature), counted),
      meter: counted,
      warnings: isMissing ? [warningOf('resource-id-missing')] : [],
    };
  }
}

/** Of a batch: each is decided as the call for it alone. */
function resultsOf(
  call: FakeCall,
  bodies: unknown,
  newId: () => string,
  decide: (call: FakeCall) => object,
): object {
  const results = (bodies as Body[]).map((body) => {
    const requestId = newId();
    try {
      if (typeof body !== 'object' || body === null || Array.isArray(body))
        throw invalidField('', 'Must be an object');
      return decide({ ...call, body, requestId, warnings: [] });
    } catch (error) {
      if (error instanceof Refusal) return errorBody(error, requestId);
      throw error;
    }
  });
  return { status: 'success', requestId: call.requestId, results };
}

function occurredAtOf(
  { occurredAt, ageMs }: { readonly occurredAt?: string; readonly ageMs?: number },
  now: number,
): number | undefined {
  if (ageMs !== undefined) return now - ageMs;
  return occurredAt === undefined ? undefined : Date.parse(occurredAt);
}

function updateOf(resolution: Resolution, property: PreparedProperty, count: Body): CounterUpdate {
  const value = resolvedValue(resolution, property);
  if (typeof value !== 'object') throw new TypeError('A meterable property has a meterable value');
  const {
    by,
    resourceId,
    release,
    enforce = false,
    occurredAt,
    ageMs,
    idempotencyKey: text,
  } = count as unknown as CounterUpdate & {
    readonly idempotencyKey?: string;
    readonly ageMs?: number;
  };
  const said = ageMs === undefined ? occurredAt : undefined;
  const propertyId = property.property.id;
  return {
    propertyId,
    by,
    resourceId,
    release,
    enforce,
    occurredAt,
    value,
    usageMeter: value.state === 'metered' ? undefined : usageMeter(resolution, property),
    key:
      text === undefined
        ? undefined
        : { text, bodyHash: JSON.stringify([propertyId, by, resourceId, release, enforce, said]) },
  };
}
