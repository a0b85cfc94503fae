/** Answers calls of the public API from a version and customers in memory, by the stages of the server's access pipeline. */
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { CounterUpdate, LedgerReading, UpdateOutcome } from '#contracts/internal/ledger';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { AccessCheckRequest } from '#contracts/public/access';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import { callWarningOf } from '#contracts/public/call-warnings';
import type { CounterUpdateRequest } from '#contracts/public/metering';
import type { Warning } from '#contracts/public/subjects';
import type { LedgerEffects } from '#engine/access/access-effects';
import type { CountOptions } from '#engine/access/access-request';
import { admitCount } from '#engine/access/admit-count';
import { errorBody, invalidField, Refusal } from '#engine/access/api-error';
import { type CallQuery, NO_QUERY } from '#engine/access/call-query';
import { consumeOptions, updateOptions } from '#engine/access/count-options';
import { type Count, type Counted, consumedOf, countUsage } from '#engine/access/count-usage';
import { type IdentifiedSubject, identifySubject } from '#engine/access/identify-subject';
import { NOWHERE } from '#engine/access/place';
import { renderUpdate } from '#engine/access/render-update';
import type { SentHeaders } from '#engine/access/sent-headers';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { evaluateResolution } from '#engine/entitlements/evaluate';
import { NO_FACTS } from '#engine/entitlements/no-facts';
import { prepare } from '#engine/entitlements/prepare';
import type { PreparedArtifact } from '#engine/entitlements/prepared-artifact';
import type { Readings } from '#engine/entitlements/render-features';
import type { Resolution } from '#engine/entitlements/resolution';
import { entityLimit, usageMeter } from '#engine/entitlements/usage-reads';
import type { Verdict } from '#engine/identity/check-claims';
import type { Periods } from '#engine/ledger/periods';
import { entityKey } from '#engine/metering/reading-key';
import { BATCHED_CHECK, ensureRules, NAMED, UPDATE } from './body-rules.ts';
import type { FakeCustomer } from './fake-customer.ts';
import { FakeCustomers } from './fake-customers.ts';
import { verifyToken } from './fake-tokens.ts';

/** A call whose key, path, query and body were accepted. */
export interface FakeCall {
  readonly body: Readonly<Record<string, unknown>>;
  /** Of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly keyType: ApiKeyType;
  readonly query: CallQuery;
  /** The query as sent. */
  readonly search: URLSearchParams;
  readonly headers: SentHeaders;
  readonly requestId: string;
}

export interface FakeAnswer {
  /** The body, JSON. */
  readonly text: string;
  /** Default: 200. 304 has no body. */
  readonly status?: number;
  readonly etag?: string;
}

export const VERSION = { artifactId: 'art_fake', number: null };
/** The one data location. */
export const HOME = 'weur';
const NONE: readonly never[] = [];
const SECRET = { keyType: 'secret' } as const;
export const ENVIRONMENT: EnvironmentSnapshot = {
  generation: 1,
  orgId: 'org_fake',
  environmentId: 'env_fake',
  environmentType: 'preview',
  locations: [HOME],
  artifact: null,
  keys: [],
  block: null,
};

/** Who asks, with what they have now. */
export interface Asking {
  readonly now: number;
  readonly verdict: Verdict | undefined;
  readonly identified: IdentifiedSubject;
  /** Who that is; null for nobody. */
  readonly customer: string | null;
  readonly facts: CustomerFacts;
  readonly resolution: Resolution;
  /** One of the customer's, if the key may name it. */
  readonly entity: string | undefined;
  /** When the facts first change by the clock alone. */
  readonly until: number;
}

export interface Evaluated {
  readonly asking: Asking;
  readonly counted: Counted | undefined;
  /** If the call asks for it, and may. */
  readonly explained: object | false;
  readonly planSlugs: readonly string[];
  readonly validUntil: number;
  readonly warnings: readonly Warning[];
  /** Those that the call asks for, by slug. */
  readonly features: ReturnType<typeof evaluateResolution>['features'];
}

/** What depends on which facts customers can have. */
export interface Deciding {
  resolve(
    prepared: PreparedArtifact,
    identity: IdentifiedSubject['identity'],
    facts: CustomerFacts,
    now: number,
    entity: string | undefined,
  ): Pick<Asking, 'resolution' | 'until'>;
  count(customer: FakeCustomer, update: CounterUpdate, now: number): UpdateOutcome;
  /** Of meters that roll over; absent: none does. */
  readonly newPeriods?: () => Periods;
  /** Notes in the customer's ledger what a call took; absent: there is none. */
  readonly note?: (
    customer: FakeCustomer,
    propertyId: string,
    count: Count,
    counted: Counted,
    at: number,
  ) => void;
  /** What an explained check has beside others; absent: nothing. */
  readonly explain?: (
    asking: Asking,
    readings: Readings | null,
    isShown: (slug: string) => boolean,
  ) => object;
}

export class FakeApi {
  readonly prepared: PreparedArtifact;
  readonly customers: FakeCustomers;
  readonly now: () => number;
  /** A ledger that is always reached. */
  readonly #ledger: Pick<LedgerEffects, 'count'> = {
    count: async (_, { customer, updates, now }) => ({
      outcomes: updates.map((update) => this.#deciding.count(this.customers.at(customer), update, now)),
      readings: NONE,
      location: HOME,
      isWhole: true,
      factsUpdate: undefined,
      companions: NONE,
    }),
  };

  readonly #deciding: Deciding;

  /** @param welcome gives a new customer what it has used before */
  constructor(
    content: ArtifactContent,
    now: () => number,
    deciding: Deciding,
    welcome: (customer: FakeCustomer, now: number) => void = () => {},
  ) {
    this.#deciding = deciding;
    this.prepared = prepare(content);
    this.now = now;
    this.customers = new FakeCustomers((customer) => welcome(customer, now()), deciding.newPeriods);
  }

  /** POST /api/v1/access-checks. @param isUsageShown of every meter @throws {ApiError} */
  async check(call: FakeCall, isUsageShown = false): Promise<FakeAnswer> {
    const body = call.body as AccessCheckRequest;
    const { asking, counted, explained, planSlugs, validUntil, warnings, features } = await this.evaluate(
      call,
      body,
      isUsageShown,
    );
    const { isAuthenticated, method } = asking.identified.identity;
    const answer = {
      status: 'success',
      requestId: call.requestId,
      version: VERSION,
      asOf: asking.now,
      validUntil,
      ...(counted && { consumed: consumedOf(counted) }),
      ...explained,
      identity: { isAuthenticated, method },
      customer: {
        isCustomer: false,
        plans: planSlugs,
        ...(body.include?.includes('subscriptions') && { subscriptions: NONE }),
      },
      warnings,
      features,
    };
    return { text: JSON.stringify(answer) };
  }

  /** POST /api/v1/counter-updates. @throws {ApiError} */
  async update(call: FakeCall): Promise<FakeAnswer> {
    const sent = call.body as unknown as CounterUpdateRequest;
    return this.counted(call, sent, updateOptions(sent, call.headers.get('idempotency-key'), this.now()));
  }

  /** The answer of a call that counts: a counter update, or one about a hold. @throws {ApiError} */
  async counted(call: FakeCall, subject: Sent, options: CountOptions): Promise<FakeAnswer> {
    const asking = this.#ask(call, subject, options.at);
    const counted = await this.#count(call, asking, options);
    const { warnings } = counted;
    const identityWarnings = asking.identified.warnings;
    return renderUpdate(call.requestId, counted, { identityWarnings, warnings }, call.query);
  }

  /** POST /api/v1/counter-updates/batch. @throws {ApiError} */
  async updates(call: FakeCall, newId: () => string): Promise<FakeAnswer> {
    if (call.headers.get('idempotency-key') !== null)
      throw invalidField('Idempotency-Key', 'Send an idempotencyKey with each update');
    return resultsOf(call, call.body.updates, newId, (each) => {
      ensureRules(each.body, UPDATE, NAMED);
      return this.update(each);
    });
  }

  /** POST /api/v1/access-checks/batch. @throws {ApiError} */
  checks(call: FakeCall, newId: () => string): Promise<FakeAnswer> {
    const { features, checks } = call.body;
    return resultsOf(call, checks, newId, (each) => {
      ensureRules(each.body, BATCHED_CHECK);
      return this.check({ ...each, body: { ...each.body, features }, query: call.query });
    });
  }

  /** What an access check comes to, for any protocol. @throws {ApiError} */
  async evaluate(
    call: FakeCall,
    { features: named, consume, include, ...subject }: AccessCheckRequest,
    isUsageShown = false,
  ): Promise<Evaluated> {
    const { keyType, query, headers } = call;
    const count = consume && consumeOptions(consume, headers.get('idempotency-key'), this.now());
    const asking = this.#ask(call, subject);
    const { identified, resolution, now, until } = asking;
    const { identifier, expiresAt } = identified.identity;
    const counted = count && (await this.#count(call, asking, count));
    const isExplained = query.isExplained && keyType === 'secret';
    const isShown = (slug: string) => named?.includes(slug) !== false;
    const entity = identifier === null || this.prepared.perEntity.length === 0 ? undefined : asking.entity;
    const readings =
      identifier === null
        ? null
        : this.#read(
            this.customers.at(identifier),
            resolution,
            entity,
            now,
            isUsageShown || isExplained || isShown,
          );
    const evaluated = evaluateResolution(resolution, readings, now, {
      counted: counted ? { ...counted, payer: counted.costs?.meter ?? null } : null,
      isListed: include?.includes('balances') === true,
      entity,
    });
    const { features, planSlugs } = evaluated;
    const shown = Object.entries(features).filter(([slug]) => isShown(slug));
    const holdEnds = [...(readings?.values() ?? NONE)].map(({ held }) => held?.until ?? Infinity);
    const validUntil = Math.min(evaluated.validUntil, until, expiresAt, ...holdEnds);
    const lacksEntity =
      identifier !== null &&
      entity === undefined &&
      !counted?.warnings.some(({ code }) => code === 'entity-required') &&
      this.prepared.perEntity.some(
        ({ index, feature }) => isShown(feature.slug) && resolution.choices[index]?.isPerEntity,
      );
    const warnings: Warning[] = [
      ...identified.warnings,
      ...query.warnings,
      ...(query.isExplained && !isExplained ? [callWarningOf('explain-needs-secret-key')] : NONE),
      ...(counted?.warnings ?? NONE),
      ...(lacksEntity ? [callWarningOf('entity-required')] : NONE),
      ...(named ?? NONE)
        .filter((slug) => !(slug in features))
        .map((slug) => callWarningOf('feature-unknown', slug)),
    ];
    return {
      asking,
      counted,
      explained: isExplained && (this.#deciding.explain?.({ ...asking, entity }, readings, isShown) ?? {}),
      planSlugs,
      validUntil: Math.max(now, validUntil),
      warnings,
      features: Object.fromEntries(shown),
    };
  }

  resolutionOf(user: string, entityId?: string): Resolution {
    return this.#ask(SECRET, { userIdentifier: user, entityId }).resolution;
  }

  /** Counts a correction of a customer's meter. @throws {ApiError} */
  correct(user: string, count: Omit<Count, 'enforce'>): Promise<Counted> {
    const asking = this.#ask(SECRET, { userIdentifier: user });
    const corrected = { ...count, enforce: false, isCorrection: true };
    return this.#count(SECRET, asking, { kind: 'update', idempotencyHeader: null, count: corrected });
  }

  /** @param at where the hold is that the call is about */
  #ask(
    { keyType }: Pick<FakeCall, 'keyType'>,
    { userIdentifier, userJwt, entityId }: Sent,
    at?: CountOptions['at'],
  ): Asking {
    const now = this.now();
    const verdict = userJwt === undefined ? undefined : verifyToken(userJwt, now);
    const subject = identifySubject({ userIdentifier }, verdict, keyType);
    const isIgnored = keyType !== 'secret' && entityId !== undefined;
    const identified = isIgnored
      ? { ...subject, warnings: [...subject.warnings, callWarningOf('entity-needs-secret-key')] }
      : subject;
    const named = isIgnored ? undefined : entityId;
    const entity = at === undefined ? named : at.entity;
    const { identity } = identified;
    const known = identity.identifier === null ? null : this.customers.at(identity.identifier);
    const facts = known?.facts ?? NO_FACTS;
    const { resolution, until } = this.#deciding.resolve(this.prepared, identity, facts, now, entity);
    const customer = known?.identifier ?? null;
    return { now, verdict, identified, customer, facts, resolution, entity, until };
  }

  async #count(
    { keyType }: Pick<FakeCall, 'keyType'>,
    { verdict, identified, resolution, facts, now, entity }: Asking,
    options: CountOptions,
  ): Promise<Counted> {
    const count = admitCount({ keyType, verdict, loaded: { prepared: this.prepared } }, options, identified);
    const customer = identified.identity.identifier ?? '';
    const { entityBalances } = facts;
    const request = { customer, entity, entityBalances, place: NOWHERE, isStrict: false, now };
    const counting = { ledger: this.#ledger, snapshot: ENVIRONMENT, resolution };
    const counted = (await countUsage(counting, count, request)) as Counted;
    const { feature, property, isCorrection } = count.count;
    const id = this.prepared.featureBySlug.get(feature)?.propertyByKey.get(property)?.property.id ?? '';
    // It is noted with its reason.
    if (!isCorrection) this.#deciding.note?.(this.customers.at(customer), id, count.count, counted, now);
    return counted;
  }

  /** @param shown whether a feature's meters are; true: of all, also where none of them limits anything */
  #read(
    customer: FakeCustomer,
    resolution: Resolution,
    entity: string | undefined,
    now: number,
    shown: true | ((slug: string) => boolean),
  ): Readings {
    const meters = this.prepared.properties.filter(({ type }) => type === 'meterable');
    const isRead =
      shown === true ||
      meters.some(
        ({ index, cost, feature }) =>
          shown(feature.slug) &&
          [index, cost?.payer.index ?? index].some((each) => resolution.configured[each]?.meter),
      );
    const readings = new Map<string, LedgerReading>();
    for (const entry of isRead ? meters : NONE) {
      const { id } = entry.property;
      readings.set(id, customer.meters.read(id, usageMeter(resolution, entry), now));
      const each = entity === undefined ? undefined : entityLimit(resolution, entry);
      if (each !== undefined && entity !== undefined)
        readings.set(entityKey(id), customer.readEntity(entity, { propertyId: id, ...each }, now));
    }
    return readings;
  }
}

/** Of a batch: each is decided as the call for it alone, in order. */
async function resultsOf(
  call: FakeCall,
  bodies: unknown,
  newId: () => string,
  answer: (call: FakeCall) => Promise<FakeAnswer>,
): Promise<FakeAnswer> {
  const results: string[] = [];
  for (const body of bodies as Fields[]) {
    const requestId = newId();
    try {
      if (typeof body !== 'object' || body === null || Array.isArray(body))
        throw invalidField('', 'Must be an object');
      results.push((await answer({ ...call, body, requestId, query: NO_QUERY })).text);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      results.push(JSON.stringify(errorBody(error, requestId)));
    }
  }
  return { text: `{"status":"success","requestId":"${call.requestId}","results":[${results}]}` };
}

type Fields = Readonly<Record<string, unknown>>;
type Sent = Pick<AccessCheckRequest, 'userIdentifier' | 'userJwt' | 'entityId'>;
/** What a call about a hold changes. */
export type Change = Pick<Count, 'by' | 'enforce' | 'hold'>;
