/**
 * Tells customers' ledgers what now holds, in every environment concerned and every data location that is enabled or not
 * closed yet: it may be turned on again. A ledger that does not know a customer keeps nothing. What is told is read here,
 * so messages may come twice or out of order.
 */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { CustomerFacts } from '#contracts/customer-facts';
import type { Location } from '#contracts/locations';
import { shardOf } from '#engine/ledger/shard-of';
import { ledgerAt } from '#objects/stubs';
import { type Db, openDatabase } from '#worker/db/database';
import { environment } from '#worker/db/schema/environments';
import { outbox } from '#worker/db/schema/operations';
import { organization } from '#worker/db/schema/organisations';
import { stripeCustomer } from '#worker/db/schema/stripe';
import type { Env } from '#worker/env';
import type { CustomerChanged, LocationClosed, StripeCustomersChanged } from '#worker/queue/messages';
import { outboxDone } from '#worker/queue/outbox';
import { kindOf, loadCustomerFacts } from './load-customer-facts.ts';

/** Of more than these the ledgers are asked first whom they know: of a sync's customers hardly anybody. */
const TOLD_UNASKED = 8;
/** Of all who share an e-mail address with one of the customers: more than that no account of sense has. */
const MAX_NAMESAKES = 500;
const AT_ONCE = 32;

/** @throws AggregateError where a ledger could not be told: the queue tries again, and telling twice does no harm */
export async function tellCustomerFacts(env: Env, message: CustomerChanged): Promise<void> {
  const { orgId, environmentId, customer, outboxId } = message;
  await tell(env, { orgId, environmentId, customers: [customer] });
  await outboxDone(openDatabase(env.DB), outboxId);
}

/** After Stripe said something else of customers. @throws AggregateError as tellCustomerFacts */
export async function tellChangedCustomers(env: Env, message: StripeCustomersChanged): Promise<void> {
  const { orgId, customers, outboxId } = message;
  await tell(env, { orgId, environmentId: null, customers });
  await outboxDone(openDatabase(env.DB), outboxId);
}

interface Change {
  readonly orgId: string;
  /** Null: in all environments. */
  readonly environmentId: string | null;
  /** Canonical identifiers. */
  readonly customers: readonly string[];
}

async function tell(env: Env, change: Change): Promise<void> {
  const db = openDatabase(env.DB);
  const { orgId } = change;
  const [environments, closing, namesakes] = await Promise.all([
    readEnvironments(db, change),
    readClosing(db, orgId),
    readNamesakes(db, change),
  ]);
  const customers = [...new Set([...change.customers, ...namesakes])];
  const failures: unknown[] = [];
  for (const { locations, ...each } of environments) {
    const closed = closing.filter(({ environmentId }) => environmentId === each.id);
    const told = new Set([...locations, ...closed.map(({ location }) => location)]);
    const ledgers = ledgersOf(each, [...told], customers);
    failures.push(...(await tellEnvironment(env, db, orgId, each.id, ledgers)));
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, `${failures.length} ledgers could not be told of customers`);
  }
}

interface ToldEnvironment {
  readonly id: string;
  readonly ledgerShards: number;
  readonly locations: readonly Location[];
}

function readEnvironments(db: Db, { orgId, environmentId }: Change): Promise<ToldEnvironment[]> {
  return db
    .select({
      id: environment.id,
      ledgerShards: environment.ledgerShards,
      locations: organization.dataLocations,
    })
    .from(environment)
    .innerJoin(organization, eq(organization.id, environment.orgId))
    .where(
      and(
        eq(environment.orgId, orgId),
        isNull(environment.deletedAt),
        environmentId === null ? undefined : eq(environment.id, environmentId),
      ),
    );
}

/** Data locations that were turned off and still have something. */
async function readClosing(db: Db, orgId: string): Promise<LocationClosed[]> {
  const rows = await db
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(and(eq(outbox.orgId, orgId), eq(outbox.type, 'location.closed')));
  return rows.map(({ payload }) => payload as LocationClosed);
}

const listed = (texts: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(texts)}))`;

/** Stripe customers of one of the addresses: which of them it stands for may be another now, and what is said of it. */
async function readNamesakes(db: Db, { orgId, customers }: Change): Promise<string[]> {
  const addresses = customers.filter((each) => kindOf(each) === 'email');
  if (addresses.length === 0) return [];
  // Not distinct ones: for these the database would read all customers of the organisation in the order of their ids.
  const rows = await db
    .select({ id: stripeCustomer.id })
    .from(stripeCustomer)
    .where(and(eq(stripeCustomer.orgId, orgId), sql`${stripeCustomer.email} IN ${listed(addresses)}`))
    .limit(MAX_NAMESAKES);
  return rows.map(({ id }) => id);
}

/** A ledger object, and those of the customers whose usage is there. */
interface ConcernedLedger {
  readonly environmentId: string;
  readonly location: Location;
  readonly shard: number;
  readonly customers: readonly string[];
}

function ledgersOf(
  { id, ledgerShards }: Omit<ToldEnvironment, 'locations'>,
  locations: readonly Location[],
  customers: readonly string[],
): ConcernedLedger[] {
  const byShard = Map.groupBy(customers, (customer) => shardOf(customer, ledgerShards));
  return locations.flatMap((location) =>
    [...byShard].map(([shard, theirs]) => ({ environmentId: id, location, shard, customers: theirs })),
  );
}

/** @returns what failed */
async function tellEnvironment(
  env: Env,
  db: Db,
  orgId: string,
  environmentId: string,
  ledgers: readonly ConcernedLedger[],
): Promise<unknown[]> {
  const loading = new Map<string, Promise<CustomerFacts>>();
  const factsOf = (customer: string): Promise<CustomerFacts> => {
    const known = loading.get(customer) ?? loadCustomerFacts(db, { orgId }, environmentId, customer);
    loading.set(customer, known);
    return known;
  };
  return inTurns(ledgers, async (concerned) => {
    const ledger = await ledgerAt(env, concerned);
    const { customers } = concerned;
    const isAsked = ledgers.length * customers.length > TOLD_UNASKED;
    for (const customer of isAsked ? await ledger.whoIsKnown(customers) : customers) {
      await ledger.tellFacts(customer, await factsOf(customer));
    }
  });
}

async function inTurns<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  const waiting = items.values();
  const workOff = async (): Promise<void> => {
    for (const item of waiting) {
      try {
        await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, workOff));
  return failures;
}
