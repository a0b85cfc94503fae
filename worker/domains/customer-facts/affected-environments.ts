/** The environments, data locations and customers that a change of customer facts affects. */
import { and, eq, sql } from 'drizzle-orm';
import type { EnvironmentType } from '#contracts/console/environment-type';
import { isUserId } from '#contracts/public/identifiers';
import type { Location } from '#contracts/public/locations';
import type { LocationClosed } from '#runtime/messages';
import type { Db } from '#worker/db/database';
import { liveEnvironment } from '#worker/db/live-environments';
import { customerSource, provisionedCustomer } from '#worker/db/schema/customers';
import { environment } from '#worker/db/schema/environments';
import { outbox } from '#worker/db/schema/operations';
import { organization } from '#worker/db/schema/organisations';
import { stripeCustomer } from '#worker/db/schema/stripe';
import { kindOf } from './load-customer-facts.ts';

/** Customers that share an email or user id with one of the changed customers. A safety limit; real accounts have far fewer. */
const MAX_SHARED = 500;

export interface AffectedEnvironment {
  readonly id: string;
  readonly type: EnvironmentType;
  readonly ledgerShards: number;
  readonly locations: readonly Location[];
}

/**
 * With enabled data locations and those that are still being retired.
 * @param environmentId null: all environments
 */
export async function readAffectedEnvironments(
  db: Db,
  orgId: string,
  environmentId: string | null,
): Promise<AffectedEnvironment[]> {
  const [environments, retiring] = await Promise.all([
    readEnvironments(db, orgId, environmentId),
    readRetiring(db, orgId),
  ]);
  return environments.map(({ locations, ...each }) => {
    const retired = retiring.filter((closed) => closed.environmentId === each.id);
    return { ...each, locations: [...new Set([...locations, ...retired.map(({ location }) => location)])] };
  });
}

function readEnvironments(
  db: Db,
  orgId: string,
  environmentId: string | null,
): Promise<AffectedEnvironment[]> {
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

/** Customers with one of the emails or user ids: it may be an alias of another customer now, with other facts. */
export async function readCustomersByAlias(
  db: Db,
  orgId: string,
  customers: readonly string[],
): Promise<string[]> {
  const { email = [], other = [] } = Object.groupBy(customers, (each) =>
    kindOf(each) === 'email' ? 'email' : 'other',
  );
  const found: string[] = [];
  for (const [column, names] of [
    ['email', email],
    ['userId', other.filter(isUserId)],
  ] as const) {
    if (names.length === 0) continue;
    // No DISTINCT: SQLite would scan all customers of the organisation in the order of their ids.
    const [rows, provisioned] = await db.batch([
      db
        .select({ id: stripeCustomer.id })
        .from(stripeCustomer)
        .where(and(eq(stripeCustomer.orgId, orgId), sql`${stripeCustomer[column]} IN ${listed(names)}`))
        .limit(MAX_SHARED),
      db
        .selectDistinct({ id: provisionedCustomer.identifier })
        .from(provisionedCustomer)
        .where(
          and(eq(provisionedCustomer.orgId, orgId), sql`${provisionedCustomer[column]} IN ${listed(names)}`),
        )
        .limit(MAX_SHARED),
    ]);
    found.push(...[...rows, ...provisioned].map(({ id }) => id));
  }
  found.push(...(await readJoined(db, orgId, [...other, ...found])));
  return [...new Set(found)];
}

/** Created customers that these Stripe customers are, and Stripe customers that somebody said to be one of these. */
async function readJoined(db: Db, orgId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { identifier, customerId } = customerSource;
  const [said, carried] = await db.batch([
    db
      .select({ identifier, customerId })
      .from(customerSource)
      .where(
        sql`${customerSource.orgId} = ${orgId} AND (${identifier} IN ${listed(ids)} OR ${customerId} IN ${listed(ids)})`,
      )
      .limit(MAX_SHARED),
    db
      .selectDistinct({ id: provisionedCustomer.identifier })
      .from(provisionedCustomer)
      .where(
        sql`${provisionedCustomer.orgId} = ${orgId} AND ${provisionedCustomer.identifier} IN (SELECT s.user_id FROM ${stripeCustomer} s
          WHERE s.org_id = ${orgId} AND s.id IN ${listed(ids)} AND s.user_id IS NOT NULL)`,
      )
      .limit(MAX_SHARED),
  ]);
  return [...said.flatMap((row) => [row.identifier, row.customerId]), ...carried.map(({ id }) => id)];
}
