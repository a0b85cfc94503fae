/** What an answer says of the call's entity, beside its customer's meter. */
import type { AlsoOutcome, WindowAnchor } from '#contracts/internal/ledger';
import type { PerEntity } from '#contracts/public/values';
import {
  type LimitOwner,
  type MeterAnswer,
  type MeteredAnswer,
  type MeterReading,
  readMeter,
} from './read-meter.ts';

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
  { anchor, ...perEntity }: PerEntity & { readonly anchor: WindowAnchor | undefined },
  entity: ReadEntity | null,
  now: number,
): MeterAnswer {
  const { limit } = perEntity;
  if (own.state === 'off') return own;
  if (entity === null) return { ...own, entity: { id: null, limit } };
  const { id, reading } = entity;
  const meter = { ...perEntity, uniqueResourceIds: false };
  const each = readMeter({ state: 'metered', meter }, reading, now, { anchor }) as MeteredAnswer;
  const { used, held, remaining, allowed, resetsAt } = each;
  const said = { id, limit, used, ...(held !== undefined && { held }), remaining, allowed, resetsAt };
  if (own.state === 'on') return { ...each, ...limitedBy(allowed ? null : 'entity'), entity: said };
  const owner = own.allowed ? (allowed ? null : 'entity') : 'customer';
  return { ...own, allowed: owner === null, ...limitedBy(owner), entity: said };
}

/** After an update that was counted for an entity, too. @param also of its outcome */
export function withCountedEntity(
  own: MeterAnswer,
  also: readonly AlsoOutcome[] | undefined,
  at: number,
): MeterAnswer {
  const each = also?.find(({ entity }) => entity !== undefined);
  if (each?.entity === undefined || each.value.state !== 'metered') return own;
  const { uniqueResourceIds: _, trialLimit: __, ...perEntity } = each.value.meter;
  const entity = { id: each.entity, reading: each.reading ?? undefined };
  return withEntity(own, { ...perEntity, anchor: undefined }, entity, at);
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

/** Whether the call's entity has used more than each may. */
export function isEntityBeyond(meter: MeterAnswer): boolean {
  if (meter.state === 'off' || meter.entity === undefined) return false;
  const { used = 0, held = 0, limit } = meter.entity;
  return used + held > limit;
}

function limitedBy(limitOf: LimitOwner | null): { limitOf?: LimitOwner } {
  return limitOf === null ? {} : { limitOf };
}
