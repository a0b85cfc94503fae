/** Calls the ledgers of customers: which of them know a customer, since when an email has usage, and what the facts are now. */
import type { Location } from '#contracts/public/locations';
import { shardOf } from '#engine/ledger/shard-of';
import { ledgerAt } from '#objects/stubs';
import type { WorkContext } from '#worker/http/request-context';
import type { AffectedEnvironment } from './affected-environments.ts';
import { kindOf, loadFactsOfMany } from './load-customer-facts.ts';

/** Above this many pushes, each ledger is asked first which customers it knows: few of the customers of a sync. */
const MAX_UNCONDITIONAL_PUSHES = 8;
const CONCURRENCY = 32;

/**
 * The calls that one customer may cost, and does if it shares its ledgers with no other: the ledgers are asked whether they
 * know it, and since when an email has usage, and get the facts.
 */
export function callsFor(customer: string, environments: readonly AffectedEnvironment[]): number {
  const ledgers = environments.reduce((sum, { locations }) => sum + locations.length, 0);
  return ledgers * (kindOf(customer) === 'email' ? 3 : 2);
}

/** Pushes the current facts to the ledgers that know the customers. @returns the failures */
export async function pushToLedgers(
  ctx: WorkContext,
  orgId: string,
  environments: readonly AffectedEnvironment[],
  customers: readonly string[],
): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const each of environments) {
    const push = () => pushToEnvironment(ctx, orgId, each.id, ledgersOf(each, customers));
    const first = await push();
    // A ledger that knew nothing of a user id has its usage now, and has to know whose it is.
    const { failures: further } = first.hasReleased ? await push() : first;
    failures.push(...further);
  }
  return failures;
}

/** Since when emails have usage of their own. @throws AggregateError if a ledger could not be asked */
export async function readUsageSince(
  { env }: Pick<WorkContext, 'env'>,
  environments: readonly AffectedEnvironment[],
  emails: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const ledgers = environments.flatMap((each) => ledgersOf(each, emails));
  const since = new Map<string, number>();
  const failures = await forEachConcurrently(ledgers, async (target) => {
    const ledger = await ledgerAt(env, target);
    for (const [email, at] of Object.entries(await ledger.usageSince(target.customers))) {
      since.set(email, Math.min(at, since.get(email) ?? Infinity));
    }
  });
  if (failures.length > 0) {
    throw new AggregateError(failures, `${failures.length} ledgers could not be asked about usage of emails`);
  }
  return since;
}

/** A ledger object and its customers among the changed ones. */
interface TargetLedger {
  readonly environmentId: string;
  readonly location: Location;
  readonly shard: number;
  readonly customers: readonly string[];
}

function ledgersOf(
  { id, ledgerShards, locations }: AffectedEnvironment,
  customers: readonly string[],
): TargetLedger[] {
  const byShard = Map.groupBy(customers, (customer) => shardOf(customer, ledgerShards));
  return locations.flatMap((location) =>
    [...byShard].map(([shard, theirs]) => ({ environmentId: id, location, shard, customers: theirs })),
  );
}

async function pushToEnvironment(
  { env, db }: WorkContext,
  orgId: string,
  environmentId: string,
  ledgers: readonly TargetLedger[],
): Promise<{ readonly failures: readonly unknown[]; readonly hasReleased: boolean }> {
  const knowing: TargetLedger[] = [];
  let hasReleased = false;
  const failures = await forEachConcurrently(ledgers, async (target) => {
    const isFiltered = ledgers.length * target.customers.length > MAX_UNCONDITIONAL_PUSHES;
    const customers = isFiltered
      ? await (await ledgerAt(env, target)).knownCustomers(target.customers)
      : target.customers;
    if (customers.length > 0) knowing.push({ ...target, customers });
  });
  const customers = [...new Set(knowing.flatMap((target) => target.customers))];
  const facts = await loadFactsOfMany(db, { orgId }, environmentId, customers);
  const further = await forEachConcurrently(knowing, async (target) => {
    const ledger = await ledgerAt(env, target);
    for (const customer of target.customers) {
      const theirs = facts.get(customer);
      if (theirs !== undefined && (await ledger.pushFacts(customer, theirs))) hasReleased = true;
    }
  });
  return { failures: [...failures, ...further], hasReleased };
}

/** @returns the failures */
async function forEachConcurrently<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  const pending = items.values();
  const runNext = async (): Promise<void> => {
    for (const item of pending) {
      try {
        await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, runNext));
  return failures;
}
