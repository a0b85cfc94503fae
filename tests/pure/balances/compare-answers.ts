/** Compares what the product answers with what the model says: each in the same shape. */
import type { Counted } from '#engine/access/count-usage';
import type { Answer } from './product.ts';
import type { Decided, MeterState, Outcome } from './reference-answers.ts';
import type { MeterName } from './shop.ts';

/** Where the product says something else than the model. */
export class Difference extends Error {
  override readonly name = 'Difference';
}

/** Of calls about a hold, what it draws in all says its own answer. */
export function countedOf(counted: Counted | string, isOfHold = false): unknown {
  if (typeof counted === 'string') return counted;
  const { accepted, replayed, applied, draws, lost, hold, costs } = counted;
  return {
    ...{ accepted, replayed, applied, draws: drawsIn(draws), lost: lost ?? 0 },
    hold: hold == null ? null : { amount: hold.amount, expiresAt: hold.expiresAt },
    ...(!isOfHold &&
      costs !== undefined && {
        costs: { applied: costs.applied, draws: drawsIn(costs.draws), lost: costs.lost ?? 0 },
      }),
  };
}

export function expectedOf(outcome: Outcome, meter: MeterName, isOfHold = false): unknown {
  if (typeof outcome === 'string') return outcome;
  const { accepted, replayed, parts, hold } = outcome;
  const [own] = parts;
  const payer =
    meter === 'chat' ? parts.find((each) => each.meter === 'credits' && each.entity === null) : undefined;
  return {
    ...{ accepted, replayed, ...amountsOf(own!) },
    hold: hold === undefined ? null : { amount: Number(hold.amount), expiresAt: hold.expiresAt },
    ...(!isOfHold && payer !== undefined && { costs: amountsOf(payer) }),
  };
}

function amountsOf({ applied, draws, lost }: Decided['parts'][number]) {
  return {
    applied: Number(applied),
    draws: Object.fromEntries(Object.entries(draws).map(([of, amount]) => [named(of), Number(amount)])),
    lost: Number(lost),
  };
}

function drawsIn(draws: Counted['draws'] = []): Record<string, number> {
  return Object.fromEntries(
    draws.filter(({ amount }) => amount !== 0).map(({ from, amount }) => [from, amount]),
  );
}

/** What was rolled over is called by its property's id. */
function named(of: string): string {
  return of.replace(/^roll:/, 'roll:prop_');
}

export function stateIn({ state, limit = 0, used = 0, held = 0, remaining = 0, ...answer }: Answer): unknown {
  if (state !== 'metered') return { state: 'not metered', used, held };
  const { overage = 0, overageLimit = 0, resetsAt, balances = [], entity } = answer;
  return {
    ...{ state, limit, used, held, remaining, overage, overageLimit, resetsAt },
    lines: balances.map((line) => ({
      ...{ of: line.kind === 'quota' ? null : line.id, amount: line.amount, used: line.used },
      ...{ held: line.held ?? 0, remaining: line.remaining, endsAt: line.endsAt },
    })),
    entity: entity == null || entity.id === null ? null : entityIn(entity),
  };
}

function entityIn({ limit, used, held = 0, remaining, resetsAt, hasSeat }: NonNullable<Answer['entity']>) {
  return { limit, used, held, remaining, resetsAt, hasSeat: hasSeat !== false };
}

/** @param isListed whether the answer says more than the quota */
export function shown({ state, lines, entity, ...expected }: MeterState, isListed: boolean): unknown {
  const { used, held, limit, remaining, overage, overageLimit, resetsAt } = expected;
  if (state !== 'metered') return { state: 'not metered', used: Number(used), held: Number(held) };
  return {
    ...{ state, limit: Number(limit), used: Number(used), held: Number(held), remaining: Number(remaining) },
    ...{ overage: isListed || overageLimit !== 0 ? Number(overage) : 0, overageLimit, resetsAt },
    lines: isListed
      ? lines.map((line) => ({
          ...{ of: line.of === null ? null : named(line.of), amount: Number(line.amount) },
          ...{ used: Number(line.used), held: Number(line.held), remaining: Number(line.remaining) },
          endsAt: line.endsAt,
        }))
      : [],
    entity: entity && {
      ...{ limit: Number(entity.limit), used: Number(entity.used), held: Number(entity.held) },
      ...{ remaining: Number(entity.remaining), resetsAt: entity.resetsAt, hasSeat: entity.hasSeat },
    },
  };
}

/** @throws {Difference} */
export function same(found: unknown, expected: unknown, where: string): void {
  if (isEqual(found, expected)) return;
  const [one, other] = [found, expected].map(textOf);
  if (one !== other) throw new Difference(`${where}\n  the product: ${one}\n  the model:   ${other}`);
}

/** Most are: it is found out without their texts. */
function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one === 'bigint' || typeof other === 'bigint') return Number(one) === Number(other);
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other;
  const [fields, others] = [one, other].map((each) => Object.entries(each));
  return (
    fields!.length === others!.length &&
    fields!.every(([name, value]) => isEqual(value, (other as Readonly<Record<string, unknown>>)[name]))
  );
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'bigint') return Number(each);
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
