/** What an answer says of the call's entity, beside its customer's meter. */
import type { BalanceFacts } from '#contracts/internal/customer-facts';
import type { AlsoOutcome, ReadDraws, WindowAnchor } from '#contracts/internal/ledger';
import type { PerEntity } from '#contracts/public/values';
import { sourcesOf } from '../balances/drawing-order.ts';
import {
  endsAt,
  type LimitOwner,
  type MeterAnswer,
  type MeteredAnswer,
  type MeterReading,
  readMeter,
} from './read-meter.ts';

/** What each entity may use, in the customer's billing period if it says so, and what this one has beside. */
type EntityWindow = PerEntity & {
  readonly anchor: WindowAnchor | undefined;
  /** The customer's are ignored. */
  readonly balances?: readonly BalanceFacts[] | undefined;
  /** By the customer's account, which knows it also after the entity was deleted. */
  readonly drawn?: ReadDraws['grants'] | undefined;
  readonly isListed?: boolean;
};

export interface ReadEntity {
  readonly id: string;
  /** Undefined: nothing was counted. */
  readonly reading: MeterReading | undefined;
}

/**
 * The customer's answer, with what the entity may use of it. Where only entities are limited, the meter is the entity's.
 * @param own that of the customer; one that is off stays so
 * @param entity null: the call names none
 */
export function withEntity(
  own: MeterAnswer,
  { anchor, balances, drawn, isListed, ...perEntity }: EntityWindow,
  entity: ReadEntity | null,
  now: number,
): MeterAnswer {
  if (own.state === 'off') return own;
  if (entity === null) return { ...own, entity: { id: null, limit: perEntity.limit } };
  const { id, reading } = entity;
  const meter = { ...perEntity, uniqueResourceIds: false };
  const theirs = balances?.filter((each) => each.entity !== undefined) ?? [];
  const sources =
    theirs.length === 0 ? undefined : sourcesOf(theirs, endsAt({ ...meter, ...anchor }, reading, now), now);
  const beside = { anchor, sources, isListed };
  const read = readMeter(
    { state: 'metered', meter },
    withDrawn(reading, drawn),
    now,
    beside,
  ) as MeteredAnswer;
  const each = reading?.isUnseated ? { ...read, remaining: 0, allowed: false } : read;
  const { limit, used, held, remaining, allowed, resetsAt } = each;
  const said = {
    ...{ id, limit, used, ...(held !== undefined && { held }), remaining, allowed },
    ...(reading?.isUnseated && { hasSeat: false as const }),
    resetsAt,
  };
  if (own.state === 'on') return { ...each, ...limitedBy(allowed ? null : 'entity'), entity: said };
  const owner = own.allowed ? (allowed ? null : 'entity') : 'customer';
  return { ...own, allowed: owner === null, ...limitedBy(owner), entity: said };
}

function withDrawn(
  reading: MeterReading = { used: 0 },
  drawn: ReadDraws['grants'] | undefined,
): MeterReading {
  return drawn === undefined
    ? reading
    : { ...reading, draws: { inWindow: reading.draws?.inWindow ?? 0, grants: drawn } };
}

/** After an update that was counted for an entity, too. @param also of its outcome @param beside of the meter */
export function withCountedEntity(
  own: MeterAnswer,
  also: readonly AlsoOutcome[] | undefined,
  at: number,
  beside: Pick<EntityWindow, 'balances' | 'drawn'> = {},
): MeterAnswer {
  const each = also?.find(({ entity }) => entity !== undefined);
  if (each?.entity === undefined || each.value.state !== 'metered') return own;
  const { uniqueResourceIds: _, trialLimit: __, ...perEntity } = each.value.meter;
  const { isUnseated } = each;
  const reading = each.reading === null ? undefined : { ...each.reading, isUnseated };
  const entity = { id: each.entity, reading };
  return withEntity(own, { ...perEntity, anchor: undefined, ...beside }, entity, at);
}

/** Whose limit an update is beyond. Undefined: no limit of entities applied. @param meter after it */
export function limitOfUpdate(
  meter: MeterAnswer,
  accepted: boolean,
  also: readonly AlsoOutcome[] | undefined,
): LimitOwner | undefined {
  if (meter.state !== 'metered' || meter.entity === undefined) return undefined;
  const isRefused = !accepted && also?.some(({ entity, fits }) => entity !== undefined && !fits);
  return isRefused || isEntityBeyond(meter) ? 'entity' : 'customer';
}

/** Whether the call's entity has used more than it may. */
export function isEntityBeyond(meter: MeterAnswer): boolean {
  if (meter.state === 'off' || meter.entity === undefined) return false;
  const { used = 0, held = 0, limit } = meter.entity;
  return used + held > limit || isUnseated(meter);
}

/** Whether the call's entity needs a seat and has none. */
export function isUnseated(meter: MeterAnswer): boolean {
  return meter.state !== 'off' && meter.entity?.hasSeat === false;
}

function limitedBy(limitOf: LimitOwner | null): { limitOf?: LimitOwner } {
  return limitOf === null ? {} : { limitOf };
}
