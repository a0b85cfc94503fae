/**
 * Pushes the current facts of customers to their ledgers, in all affected environments and in every data location that is
 * enabled or still being retired (it may be enabled again). A ledger that does not know a customer ignores the push. Facts
 * are read from D1 here, so messages may be duplicated or out of order. See worker/README.md, "Customer facts".
 */

import { and, eq, sql } from 'drizzle-orm';
import type { EnvironmentType } from '#contracts/console/environment-type';
import type { Location } from '#contracts/public/locations';
import { shardOf } from '#engine/ledger/shard-of';
import { ledgerAt } from '#objects/stubs';
import type { Db } from '#worker/db/database';
import { liveEnvironment } from '#worker/db/live-environments';
import { environment } from '#worker/db/schema/environments';
import { outbox } from '#worker/db/schema/operations';
import { organization } from '#worker/db/schema/organisations';
import { stripeCustomer } from '#worker/db/schema/stripe';
import type { WorkContext } from '#worker/http/request-context';
import type { CustomerChanged, LocationClosed, StripeCustomersChanged } from '#worker/queue/messages';
import { outboxDone } from '#worker/queue/outbox';
import { decideEmailOwners } from './decide-email-owners.ts';
import { kindOf, loadFactsOfMany } from './load-customer-facts.ts';

/** Above this many pushes, each ledger is asked first which customers it knows: few of the customers of a sync. */
const MAX_UNCONDITIONAL_PUSHES = 8;
/** Customers that share an email with one of the changed customers. A safety limit; real accounts have far fewer. */
const MAX_SHARED_EMAIL = 500;
const CONCURRENCY = 32;

/** @throws AggregateError if a push failed. The queue retries; a repeated push changes nothing. */
export async function pushCustomerFacts(ctx: WorkContext, message: CustomerChanged): Promise<void> {
  const { orgId, environmentId, customer, outboxId } = message;
  await push(ctx, { orgId, environmentId, customers: [customer] });
  await outboxDone(ctx.db, outboxId);
}

/** After a change of customers in Stripe. @throws AggregateError as pushCustomerFacts */
export async function pushChangedCustomers(ctx: WorkContext, message: StripeCustomersChanged): Promise<void> {
  const { orgId, customers, outboxId } = message;
  const change = { orgId, environmentId: null, customers };
  let failure: unknown = null;
  try {
    await decideOwners(ctx, change);
  } catch (error) {
    // The facts are known already, and the queue decides again.
    failure = error;
  }
  await push(ctx, change);
  if (failure !== null) throw failure;
  await outboxDone(ctx.db, outboxId);
}

interface Change {
  readonly orgId: string;
  /** Null: in all environments. */
  readonly environmentId: string | null;
  /** Canonical identifiers. */
  readonly customers: readonly string[];
}

async function push(ctx: WorkContext, change: Change): Promise<void> {
  const { db } = ctx;
  const { orgId } = change;
  const [environments, sharingEmail] = await Promise.all([
    readTargets(db, change),
    readCustomersByEmail(db, change),
  ]);
  const customers = [...new Set([...change.customers, ...sharingEmail])];
  const failures: unknown[] = [];
  for (const { locations, ...each } of environments) {
    const ledgers = ledgersOf(each, locations, customers);
    failures.push(...(await pushToEnvironment(ctx, orgId, each.id, ledgers)));
  }
  if (failures.length > 0) {
    throw new AggregateError(
      failures,
      `${failures.length} ledgers could not be notified of changed customers`,
    );
  }
}

/** Which of the changed emails are aliases. Ledgers know since when an email has usage of its own. */
async function decideOwners(ctx: WorkContext, change: Change): Promise<void> {
  const { db, env } = ctx;
  const emails = change.customers.filter((each) => kindOf(each) === 'email');
  await decideEmailOwners(ctx, change.orgId, emails, async (names, isLive) => {
    const environments = (await readTargets(db, change)).filter(({ type }) => isLive || type !== 'live');
    const ledgers = environments.flatMap(({ locations, ...each }) => ledgersOf(each, locations, names));
    const since = new Map<string, number>();
    const failures = await forEachConcurrently(ledgers, async (target) => {
      const ledger = await ledgerAt(env, target);
      for (const [email, at] of Object.entries(await ledger.usageSince(target.customers))) {
        since.set(email, Math.min(at, since.get(email) ?? Infinity));
      }
    });
    if (failures.length > 0) {
      throw new AggregateError(
        failures,
        `${failures.length} ledgers could not be asked about usage of emails`,
      );
    }
    return since;
  });
}

interface TargetEnvironment {
  readonly id: string;
  readonly type: EnvironmentType;
  readonly ledgerShards: number;
  readonly locations: readonly Location[];
}

/** The environments, with enabled data locations and those that are still being retired. */
async function readTargets(db: Db, change: Change): Promise<TargetEnvironment[]> {
  const [environments, retiring] = await Promise.all([
    readEnvironments(db, change),
    readRetiring(db, change.orgId),
  ]);
  return environments.map(({ locations, ...each }) => {
    const retired = retiring.filter(({ environmentId }) => environmentId === each.id);
    return { ...each, locations: [...new Set([...locations, ...retired.map(({ location }) => location)])] };
  });
}

function readEnvironments(db: Db, { orgId, environmentId }: Change): Promise<TargetEnvironment[]> {
  return db
    .select({
      id: environment.id,
      type: environment.type,
      ledgerShards: environment.ledgerShards,
      locations: organization.dataLocations,
    })
    .from(environment)
    .innerJoin(organization, eq(organization.id, environment.orgId))
    .where(liveEnvironment(orgId, environmentId ?? undefined));
}

/** Disabled data locations that still have data. */
async function readRetiring(db: Db, orgId: string): Promise<LocationClosed[]> {
  const rows = await db
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(and(eq(outbox.orgId, orgId), eq(outbox.type, 'location.closed')));
  return rows.map(({ payload }) => payload as LocationClosed);
}

const listed = (texts: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(texts)}))`;

/** Stripe customers with one of the emails: the email may be an alias of another customer now, with other facts. */
async function readCustomersByEmail(db: Db, { orgId, customers }: Change): Promise<string[]> {
  const emails = customers.filter((each) => kindOf(each) === 'email');
  if (emails.length === 0) return [];
  // No DISTINCT: SQLite would scan all customers of the organisation in the order of their ids.
  const rows = await db
    .select({ id: stripeCustomer.id })
    .from(stripeCustomer)
    .where(and(eq(stripeCustomer.orgId, orgId), sql`${stripeCustomer.email} IN ${listed(emails)}`))
    .limit(MAX_SHARED_EMAIL);
  return rows.map(({ id }) => id);
}

/** A ledger object and its customers among the changed ones. */
interface TargetLedger {
  readonly environmentId: string;
  readonly location: Location;
  readonly shard: number;
  readonly customers: readonly string[];
}

function ledgersOf(
  { id, ledgerShards }: Pick<TargetEnvironment, 'id' | 'ledgerShards'>,
  locations: readonly Location[],
  customers: readonly string[],
): TargetLedger[] {
  const byShard = Map.groupBy(customers, (customer) => shardOf(customer, ledgerShards));
  return locations.flatMap((location) =>
    [...byShard].map(([shard, theirs]) => ({ environmentId: id, location, shard, customers: theirs })),
  );
}

/** @returns the failures */
async function pushToEnvironment(
  { env, db }: WorkContext,
  orgId: string,
  environmentId: string,
  ledgers: readonly TargetLedger[],
): Promise<unknown[]> {
  const knowing: TargetLedger[] = [];
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
      if (theirs !== undefined) await ledger.pushFacts(customer, theirs);
    }
  });
  return [...failures, ...further];
}

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
