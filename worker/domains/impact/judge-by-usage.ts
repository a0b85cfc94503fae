/**
 * A limit that falls takes access from those who have used as much. Usage is in the ledgers, one call for each customer, so it is
 * read for the first customers only; the others have less, and whether they lose access is not known.
 */
import { MAX_READINGS } from '#contracts/console/impact';
import type { Meter } from '#contracts/public/values';
import type { MeterReading } from '#engine/metering/read-meter';
import { heldOf, takenOf } from '#engine/metering/read-meter';
import { overageLimit } from '#engine/values/kinds/overage';
import { inspectCustomer } from '#worker/domains/access/inspect-customer';
import { loadFactsOfMany } from '#worker/domains/customer-facts/load-customer-facts';
import type { RequestContext, Scope } from '#worker/http/request-context';
import type { ComparedGroup, JudgedChange } from './compare-customers.ts';

/** Calls of ledgers at once: a Worker has six connections. */
const AT_ONCE = 5;

export interface JudgedGroups {
  /** Each customer whose usage was read is a group alone. */
  readonly groups: readonly ComparedGroup[];
  readonly readings: number;
}

export async function judgeByUsage(
  ctx: RequestContext,
  scope: Scope,
  environmentId: string,
  groups: readonly ComparedGroup[],
): Promise<JudgedGroups> {
  const asked = groups
    .filter(({ changes }) => changes.some(isLowerLimit))
    .flatMap(({ customers }) => customers.map(({ identifier }) => identifier))
    .slice(0, MAX_READINGS);
  const known = await loadFactsOfMany(ctx.db, scope, environmentId, asked);
  const usage = new Map<string, ReadonlyMap<string, MeterReading>>();
  for (let from = 0; from < known.size; from += AT_ONCE) {
    const some = [...known].slice(from, from + AT_ONCE);
    await Promise.all(
      some.map(async ([identifier, facts]) => {
        const inspected = { environmentId, identifier, customer: identifier, facts };
        const { usage: read } = await inspectCustomer(ctx, scope, inspected);
        if (read !== null) usage.set(identifier, read.readings);
      }),
    );
  }
  return { groups: groups.flatMap((group) => splitByUsage(group, usage)), readings: usage.size };
}

function splitByUsage(
  group: ComparedGroup,
  usage: ReadonlyMap<string, ReadonlyMap<string, MeterReading>>,
): ComparedGroup[] {
  const read = group.customers.flatMap((customer) => {
    const readings = usage.get(customer.identifier);
    if (readings === undefined) return [];
    const changes = group.changes.map((change) => judged(change, readings));
    return [{ ...group, size: 1, customers: [customer], changes }];
  });
  if (read.length === 0) return [group];
  const customers = group.customers.filter(({ identifier }) => !usage.has(identifier));
  const size = group.size - read.length;
  return size === 0 ? read : [...read, { ...group, size, customers }];
}

function judged(change: JudgedChange, readings: ReadonlyMap<string, MeterReading>): JudgedChange {
  const limits = limitsOf(change);
  if (limits === null) return change;
  const reading = readings.get(change.property.property.id);
  const [taken, held] = [takenOf(reading), heldOf(reading)];
  const isOver = taken >= limits.after && taken < limits.before;
  const usage = { used: taken - held, ...(held > 0 && { held }) };
  return { ...change, ...usage, ...(isOver ? { kind: 'loses' as const } : {}) };
}

function isLowerLimit(change: JudgedChange): boolean {
  return change.kind === 'less' && limitsOf(change) !== null;
}

/** Null unless a limit changes, and the same usage counts against both. */
function limitsOf({
  before,
  after,
  costs,
}: JudgedChange): { readonly before: number; readonly after: number } | null {
  if (costs !== undefined || typeof after !== 'object' || after?.state !== 'metered') return null;
  if (typeof before !== 'object' || before === null) return null;
  if (before.state === 'on') return { before: Infinity, after: mostOf(after.meter) };
  if (before.state === 'off') return null;
  return windowText(before.meter) === windowText(after.meter)
    ? { before: mostOf(before.meter), after: mostOf(after.meter) }
    : null;
}

function windowText({ limit: _, overage: __, ...window }: Meter): string {
  return JSON.stringify(Object.entries(window).sort());
}

/** From this usage on the meter is not allowed. */
function mostOf({ limit, overage }: Meter): number {
  return limit + overageLimit(overage);
}
