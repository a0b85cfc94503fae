/** Counts one update: finds the property, asks the ledger and maps its decision. */
import type { BalanceFacts, FactsUpdate } from '#contracts/internal/customer-facts';
import type {
  AlsoCount,
  CounterUpdate,
  DrawSource,
  GrantSource,
  HoldAction,
  HoldState,
  LedgerRead,
  LedgerReading,
  MeterWindow,
  UpdateEvent,
  UpdateOutcome,
} from '#contracts/internal/ledger';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import { callWarningOf } from '#contracts/public/call-warnings';
import { formatLimit } from '#contracts/public/format-limit';
import type { Warning } from '#contracts/public/subjects';
import type { MeterableValue } from '#contracts/public/values';
import type { DenialReason } from '#contracts/public/verdict';
import { type AnsweredDraw, answeredDraws } from '../balances/answered-draws.ts';
import { placedSources, sourcesOf } from '../balances/drawing-order.ts';
import { costIn } from '../entitlements/cost-in.ts';
import type {
  PreparedArtifact,
  PreparedCost,
  PreparedFeature,
  PreparedProperty,
} from '../entitlements/prepared-artifact.ts';
import { readOwnMeter } from '../entitlements/read-own-meter.ts';
import type { Readings } from '../entitlements/render-features.ts';
import type { Resolution } from '../entitlements/resolution.ts';
import { resolvedValue } from '../entitlements/resolve.ts';
import { entityLimit, usageMeter } from '../entitlements/usage-reads.ts';
import { countDenial, isFeatureOn } from '../entitlements/verdict.ts';
import { MAX_ENTITIES } from '../ledger/account.ts';
import { giveBackKeyOf } from '../ledger/give-back-of.ts';
import { MAX_EXTENSIONS, MAX_OPEN_HOLDS } from '../ledger/holds.ts';
import { readWindowOf } from '../ledger/usage-change.ts';
import { allowedBy, type CountedCost, countedCost, type NamedCost } from '../metering/cost-answer.ts';
import { lacksResourceId } from '../metering/lacks-resource-id.ts';
import { limitOfUpdate, withCountedEntity } from '../metering/read-entity.ts';
import type { LimitOwner, MeterAnswer } from '../metering/read-meter.ts';
import { windowOf } from '../metering/window-of.ts';
import { perEntityOf } from '../values/kinds/per-entity.ts';
import type { LedgerEffects } from './access-effects.ts';
import { conflicting, invalidField, Refusal } from './api-error.ts';
import { keyReused } from './idempotency-key.ts';
import type { LedgerRequest, LedgerResult } from './ledger-call.ts';
import { byProperty } from './readings-by-property.ts';

/** A client's request to count. */
export interface Count {
  readonly feature: string;
  readonly property: string;
  readonly by?: number | undefined;
  readonly resourceId?: string | undefined;
  readonly release?: boolean | undefined;
  readonly idempotencyKey?: string | undefined;
  /** The key of the update that this one gives back. */
  readonly givesBack?: string | undefined;
  readonly enforce: boolean;
  /** Epoch milliseconds; undefined: now. */
  readonly occurredAt?: number | undefined;
  /** As sent, if `occurredAt` follows from it. It grows with each repetition, so an idempotency key is for any age. */
  readonly ageMs?: number | undefined;
  /** The amount is held, or `by` changes what is. */
  readonly hold?: HoldAction | undefined;
  /** Not what a customer did: nothing is paid for it. */
  readonly isCorrection?: boolean | undefined;
  /** A balance pays what is used above quota and balances, and nothing is counted. */
  readonly paysOverage?: GrantSource | undefined;
}

export interface Counted {
  /** The slug of the feature. */
  readonly feature: string;
  /** Why plans and overrides do not allow the feature; null if they do. */
  readonly denial: DenialReason | null;
  /** Whose limit does not, where each entity has one and the update names it. */
  readonly limitOf?: LimitOwner | undefined;
  readonly accepted: boolean;
  readonly replayed: boolean;
  /** What the update added to the count: less than a negative `by` if less was in use, and 0 if it was not accepted. */
  readonly applied: number;
  /** What it drew from balances, or gave back to them; undefined without any. */
  readonly draws: readonly AnsweredDraw[] | undefined;
  /** Of a give-back: what stays, because balances that ended or are frozen paid for it; undefined if nothing. */
  readonly lost: number | undefined;
  /** Of a call about one: null if nothing is held. */
  readonly hold: HoldState | null | undefined;
  /** Whether the call was to settle it. */
  readonly isSettling: boolean;
  /** What it counted on the meter that pays for it; undefined without one. */
  readonly costs: CountedCost | undefined;
  readonly meter: MeterAnswer;
  /** One for each read of the request, by property id. */
  readonly readings: Readings;
  readonly warnings: readonly Warning[];
  readonly report: LedgerResult;
}

/** What a check says of what it counted. */
export function consumedOf({ accepted, replayed, applied, draws, meter, costs }: Counted) {
  return { accepted, replayed, applied, draws, ...meter, costs };
}

/** `entity`: the one that the request names, whether or not its usage is counted. */
export interface CountRequest extends Omit<LedgerRequest, 'updates' | 'reads'> {
  readonly reads?: readonly LedgerRead[];
  /** Of a hold under another name of the customer: reads the customer's own ledger. */
  readonly readOwn?: ReadOwn | undefined;
  /** Of all the customer's entities: a give-back of one update need not name whose it was. */
  readonly entityBalances?: readonly BalanceFacts[] | undefined;
}

/** @param entity as in LedgerRequest */
type ReadOwn = (read: LedgerRead, entity?: string) => Promise<LedgerReading | undefined>;

const NONE: readonly never[] = [];
const ENTITY_REQUIRED: readonly Warning[] = [callWarningOf('entity-required')];
/** Whose region is away. */
const HOLDS = 'The hold’s';
const RESOURCE_ID_MISSING: readonly Warning[] = [callWarningOf('resource-id-missing')];

interface AskedCount {
  readonly count: Count;
  /** Its position in the request body: empty, or `consume`. */
  readonly path: string;
}

/** Who counts, where, and what the customer has. */
interface Counting {
  readonly ledger: Pick<LedgerEffects, 'count'>;
  readonly snapshot: EnvironmentSnapshot;
  readonly resolution: Resolution;
}

type Decided = Extract<UpdateOutcome, { kind: 'decided' }>;

export type CountAnswer = Counted | { readonly outdated: FactsUpdate };

/**
 * @returns the facts update, if the value was resolved from outdated facts: nothing is counted then
 * @throws {ApiError} invalid-request naming the field; conflict if the idempotency key was used for another request of the customer, or if
 * a hold has ended; not-found or rate-limited for holds; unavailable
 */
export async function countUsage(
  { ledger, snapshot, resolution }: Counting,
  { count, path }: AskedCount,
  given: CountRequest,
): Promise<CountAnswer> {
  const { feature, property } = findMeterable(resolution.prepared, count, path);
  const { readOwn, entity: named, entityBalances, ...request } = given;
  const value = meterableValue(resolution, property);
  const cost = count.isCorrection ? null : costIn(resolution, property);
  const counted = cost === null ? [value] : [value, meterableValue(resolution, cost.payer)];
  const limitsEntities = counted.some((each) => perEntityOf(each) !== undefined);
  if (named === undefined && counted.some(isPerEntityOnly)) refuseWithout(count);
  const { now } = request;
  const givers = count.givesBack === undefined ? undefined : entityBalances;
  const paid = cost === null ? undefined : withGivers(payment(resolution, cost, now), givers, now);
  const also = [
    ...(named === undefined ? NONE : alsoOf(resolution, property, named)),
    ...(cost === null || paid === undefined ? NONE : [paid]),
    ...(named === undefined || cost === null
      ? NONE
      : alsoOf(resolution, cost.payer, named).map((each) => ({ ...each, per: cost.thousandths }))),
  ];
  const isOnEntity = also.some((each) => each.entity !== undefined);
  const entity = isOnEntity || isOfEntity(count, request.reads) ? named : undefined;
  const asked = updateOf(resolution, property, withoutEntities(value), { ...given, count });
  const own = withGivers(asked, givers, now);
  const update = also.length === 0 ? own : { ...own, also };
  const { event } = request;
  const { propertyId, sources } = update;
  const whole = readOwn === undefined ? update : await besideName(readOwn, update);
  const report = await ledger.count(snapshot, {
    ...request,
    entity,
    event: event && { ...event, said: { ...event.said, ...eventFields(cost, sources, paid) } },
    updates: [whole],
    reads: request.reads ?? [],
  });
  if (report.factsUpdate !== undefined) return { outdated: report.factsUpdate };
  const [outcome] = report.outcomes;
  switch (outcome?.kind) {
    case 'decided': {
      const { accepted, replayed, applied, value, reading, at } = outcome;
      const costs = paid && costsOf(resolution, cost, paid, outcome);
      const ownAlso = outcome.also?.filter((each) => each.propertyId === propertyId);
      const read = readOwnMeter(resolution, property, value, reading ?? undefined, { now: at });
      const meter = allowedBy(
        withCountedEntity(read, ownAlso, at, besideOf(resolution, property, reading)),
        costs,
      );
      const isOn = isFeatureOn(resolution, feature);
      const limitOf = isOn ? limitOfUpdate(meter, accepted, ownAlso) : undefined;
      const draws = answeredDraws(outcome.draws, sources);
      const readings = byProperty(request.reads ?? [], report.readings);
      const isMissing = count.hold === undefined && applied === 0 && lacksResourceId({ ...update, value });
      const isOfOther = count.hold?.kind === 'settle' || count.givesBack !== undefined;
      const isForNobody = named === undefined && limitsEntities && !isOfOther;
      const warnings = [
        ...(isMissing ? RESOURCE_ID_MISSING : NONE),
        ...(isForNobody ? ENTITY_REQUIRED : NONE),
      ];
      const denial = countDenial(isOn, { accepted, meter, payer: costs?.meter });
      const { slug } = feature;
      const hold = count.hold && (outcome.hold ?? null);
      const isSettling = count.hold?.kind === 'settle';
      const said = { accepted, replayed, applied, draws, lost: outcome.lost, costs, hold, isSettling };
      return { feature: slug, denial, limitOf, ...said, meter, readings, warnings, report };
    }
    case 'too-many-entities':
      throw new Refusal(
        'rate-limited',
        'too-many-entities',
        `The customer has ${formatLimit(MAX_ENTITIES)} entities, as many as are allowed`,
        { headers: { 'retry-after': '3600' } },
      );
    case 'hold-refused':
      throw holdRefused(outcome, report.isWhole);
    case 'conflict':
      throw count.givesBack === undefined ? keyReused(within(path, 'idempotencyKey')) : givenBackAlready();
    case 'nothing-to-give-back':
      throw report.isWhole ? nothingToGiveBack() : usageAway('The update’s');
    case 'too-large':
      throw invalidField(
        count.hold === undefined ? within(path, 'by') : 'amount',
        'The count would become too large',
        'count-too-large',
      );
    default:
      throw new Error('The ledger did not decide the update');
  }
}

/** @throws {ApiError} invalid-request naming feature or property */
function findMeterable(
  prepared: PreparedArtifact,
  { feature, property }: Count,
  path: string,
): { readonly feature: PreparedFeature; readonly property: PreparedProperty } {
  const found = prepared.featureBySlug.get(feature);
  if (found === undefined)
    throw invalidField(
      within(path, 'feature'),
      'The deployed version has no such feature',
      'feature-unknown',
    );
  const entry = found.propertyByKey.get(property);
  if (entry === undefined)
    throw invalidField(within(path, 'property'), 'The feature has no such property', 'property-unknown');
  if (entry.type !== 'meterable')
    throw invalidField(within(path, 'property'), 'The property is not meterable', 'property-not-meterable');
  return { feature: found, property: entry };
}

/** Whether the call reads the entity's account, or changes a hold that may be on it. */
function isOfEntity({ hold }: Count, reads: readonly LedgerRead[] = []): boolean {
  return (hold !== undefined && hold.kind !== 'open') || reads.some(({ ofEntity }) => ofEntity);
}

/** Usage is counted for an entity wherever a plan of the version limits each, so that it is there when the customer's does. */
function alsoOf(resolution: Resolution, property: PreparedProperty, entity: string): readonly AlsoCount[] {
  if (!property.isPerEntity) return NONE;
  const limit = entityLimit(resolution, property);
  const { uniqueResourceIds } = usageMeter(resolution, property);
  const propertyId = property.property.id;
  if (limit === undefined) {
    const usageMeter = { periodType: 'lifetime', uniqueResourceIds } as const;
    return [{ propertyId, entity, value: UNLIMITED, usageMeter }];
  }
  const { anchorAt, trialEndAt, ...meter } = limit.meter;
  return [{ propertyId, entity, value: { state: 'metered', meter }, anchorAt, trialEndAt, seat: limit.seat }];
}

const UNLIMITED = { state: 'on' } as const;

/** A hold that exists knows its entity, and so does an update that is given back. */
function refuseWithout({ hold, givesBack }: Count): void {
  if (givesBack !== undefined || (hold !== undefined && hold.kind !== 'open')) return;
  const message = 'The plan limits each entity: send the one that the usage is of';
  throw invalidField('entityId', message, 'entity-required');
}

/** What ledgers know of a value. */
function withoutEntities(value: MeterableValue): MeterableValue {
  if (perEntityOf(value) === undefined) return value;
  const { perEntity: _, ...own } = value as Exclude<MeterableValue, { state: 'off' }>;
  return own;
}

function updateOf(
  resolution: Resolution,
  property: PreparedProperty,
  value: MeterableValue,
  { count, entity, now }: Pick<CountRequest, 'entity' | 'now'> & { readonly count: Count },
): CounterUpdate {
  const { by, resourceId, release, enforce, occurredAt, hold, paysOverage } = count;
  // What was used of a hold that was made before is never lost.
  const isUnique = value.state === 'metered' && value.meter.uniqueResourceIds;
  if (hold !== undefined && hold.kind !== 'settle' && isUnique)
    throw invalidField(
      'property',
      'The meter counts unique resources, of which nothing can be held',
      'meter-counts-resources',
    );
  const propertyId = property.property.id;
  return {
    ...countedOn(resolution, property, value, now),
    by,
    resourceId,
    release,
    enforce,
    occurredAt,
    hold,
    givesBack: count.givesBack,
    paysOverage,
    key: keyOf(propertyId, count, entity),
  };
}

/** The fields identify the request as well as a hash of them, and are short. */
function keyOf(
  propertyId: string,
  { by, resourceId, release, idempotencyKey, givesBack, enforce, occurredAt, ageMs, hold }: Count,
  entity: string | undefined,
): CounterUpdate['key'] {
  if (givesBack !== undefined)
    return { text: giveBackKeyOf(givesBack), bodyHash: JSON.stringify([propertyId, by ?? null]) };
  if (idempotencyKey === undefined) return undefined;
  return {
    text: idempotencyKey,
    bodyHash: JSON.stringify([
      propertyId,
      by ?? null,
      resourceId ?? null,
      release ?? false,
      enforce,
      ...(occurredAt === undefined || ageMs !== undefined ? [] : [occurredAt]),
      ...(hold?.kind === 'open' ? ['hold', hold.lastsMs, hold.orLess] : []),
      ...(entity === undefined ? [] : ['entity', entity]),
    ]),
  };
}

/** A meter as the ledger counts on it. */
function countedOn(resolution: Resolution, property: PreparedProperty, value: MeterableValue, now: number) {
  const meter = usageMeter(resolution, property);
  const isMetered = value.state === 'metered';
  const isLimited = isMetered || (value.state === 'on' && entityLimit(resolution, property) !== undefined);
  const balances = resolution.balances
    ?.get(property.index)
    // Of what is unlimited, only the limit of the entity is extended.
    ?.filter(({ entity }) => isMetered || entity !== undefined);
  return {
    propertyId: property.property.id,
    value,
    usageMeter: isMetered ? undefined : meter,
    anchorAt: isMetered ? meter.anchorAt : undefined,
    trialEndAt: isMetered ? meter.trialEndAt : undefined,
    sources: isLimited && balances?.length ? sourcesIn(balances, meter, now) : undefined,
  };
}

/** What the meter that pays counts for each one. */
function payment(resolution: Resolution, { payer, thousandths }: PreparedCost, now: number): AlsoCount {
  const value = withoutEntities(meterableValue(resolution, payer));
  return { ...countedOn(resolution, payer, value, now), per: thousandths };
}

/** With what the customer has of each meter that the update counts on. */
async function besideName(readOwn: ReadOwn, update: CounterUpdate): Promise<CounterUpdate> {
  const read = async <Kind extends CounterUpdate | AlsoCount>(each: Kind, entity?: string): Promise<Kind> => {
    const meter = readWindowOf(each);
    const ofEntity = entity === undefined ? undefined : true;
    const { propertyId } = each;
    const customerReading = meter && (await readOwn({ propertyId, meter, ofEntity }, entity));
    return customerReading === undefined ? each : { ...each, customerReading };
  };
  const also = update.also && (await Promise.all(update.also.map((each) => read(each, each.entity))));
  const own = await read(update);
  return also === undefined ? own : { ...own, also };
}

function meterableValue(resolution: Resolution, property: PreparedProperty): MeterableValue {
  const value = resolvedValue(resolution, property);
  if (typeof value !== 'object') throw new TypeError('A meterable property has a meterable value');
  return value;
}

/** Nothing limits the customer itself. */
function isPerEntityOnly(value: MeterableValue): boolean {
  return value.state === 'on' && perEntityOf(value) !== undefined;
}

function namedCost({ payer, thousandths }: PreparedCost): NamedCost {
  return { feature: payer.feature.slug, property: payer.property.key, thousandths };
}

/** Undefined: the ledger decided it when it cost nothing. */
function costsOf(
  resolution: Resolution,
  cost: PreparedCost | null,
  { propertyId, sources }: AlsoCount,
  { also = NONE, at }: Decided,
): CountedCost | undefined {
  const parts = also.filter((each) => each.propertyId === propertyId);
  const outcome = parts.find(({ entity }) => entity === undefined);
  if (cost === null || outcome === undefined) return undefined;
  const { value, reading } = outcome;
  const own = readOwnMeter(resolution, cost.payer, value, reading ?? undefined, { now: at });
  const meter = withCountedEntity(own, parts, at, besideOf(resolution, cost.payer, reading));
  // What an entity may use of the meter that pays decides, too.
  const fits = parts.every((each) => each.fits);
  return countedCost(namedCost(cost), { ...outcome, fits }, meter, sources);
}

/** What an entity may have beside its limit, and what was drawn of that. */
function besideOf({ balances }: Resolution, { index }: PreparedProperty, reading: LedgerReading | null) {
  return { balances: balances?.get(index), drawn: reading?.draws?.grants };
}

/** What the event of an update says of what it draws from. */
function eventFields(
  cost: PreparedCost | null,
  sources: readonly DrawSource[] | undefined,
  paid: AlsoCount | undefined,
): Pick<UpdateEvent, 'sources' | 'costs'> {
  const costs = cost &&
    paid && {
      ...namedCost(cost),
      propertyId: paid.propertyId,
      ...(paid.sources && { sources: paid.sources }),
    };
  return { ...(sources && { sources }), ...(costs && { costs }) };
}

/** What the usage is drawn from. @param balances of the property */
function sourcesIn(
  balances: readonly BalanceFacts[],
  meter: MeterWindow,
  now: number,
): readonly DrawSource[] {
  const { resetsAt } = windowOf(meter, now);
  return meter.rollover === undefined
    ? sourcesOf(balances, resetsAt, now).map(({ source }) => source)
    : placedSources(balances, resetsAt, now);
}

/** A give-back of one update need not name whose that was: balances of any entity take back what they have paid of it. */
function withGivers<Kind extends Pick<AlsoCount, 'propertyId' | 'sources'>>(
  part: Kind,
  givers: readonly BalanceFacts[] = NONE,
  now: number,
): Kind {
  const { propertyId, sources = ['quota'] } = part;
  const known = new Set(sources.map((each) => (each === 'quota' ? each : each.grant)));
  const more = givers.filter((each) => each.propertyId === propertyId && !known.has(each.id));
  if (more.length === 0) return part;
  const others = sourcesOf(more, null, now).map(({ source }) => source);
  return { ...part, sources: [...sources, ...others.filter((each) => each !== 'quota')] };
}

/** @param isWhole false: the hold may be in a location that did not answer */
function holdRefused(
  { why, hold }: Extract<UpdateOutcome, { kind: 'hold-refused' }>,
  isWhole: boolean,
): Refusal {
  switch (why) {
    case 'unknown':
      return isWhole ? holdUnknown() : usageAway(HOLDS);
    case 'too-many':
      return new Refusal(
        'rate-limited',
        'too-many-holds',
        `The customer has ${MAX_OPEN_HOLDS} open holds, as many as are allowed`,
        { headers: { 'retry-after': '1' } },
      );
    case 'settled':
      return conflicting(
        'hold-settled',
        'amount',
        `The hold is settled with ${hold?.settled?.amount ?? 0} already, and stays so`,
      );
    case 'too-often':
      return conflicting(
        'extension-limit-reached',
        'hold',
        `Was extended ${MAX_EXTENSIONS} times, as often as is allowed. Settle it and make a new one.`,
      );
    case 'over':
      return conflicting('hold-over', 'hold', 'The hold has ended');
    case 'away':
      return usageAway(HOLDS);
  }
}

function givenBackAlready(): Refusal {
  const message = 'What the update counted was given back already, with another amount';
  return conflicting('idempotency-key-reused', 'givesBack', message);
}

function nothingToGiveBack(): Refusal {
  const message = 'No update of the property with this idempotencyKey has counted an amount in 24 hours';
  return conflicting('nothing-to-give-back', 'givesBack', message);
}

/** @param whose as a sentence begins */
function usageAway(whose: string): Refusal {
  const message = `${whose} data region is unavailable. Try again.`;
  return new Refusal('unavailable', 'usage-unavailable', message, { headers: { 'retry-after': '1' } });
}

export function holdUnknown(): Refusal {
  return new Refusal('not-found', 'hold-unknown', 'The environment has no such hold');
}

function within(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`;
}
