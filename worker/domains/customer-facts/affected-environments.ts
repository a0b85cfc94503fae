/** The environments, data locations and customers that a change of customer facts affects. */

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { EnvironmentType } from '#contracts/console/environment-type';
import type { Location } from '#contracts/public/locations';
import type { LocationClosed } from '#runtime/messages';
import type { Db } from '#worker/db/database';
import { limitTo } from '#worker/db/limit-to';
import { liveEnvironment } from '#worker/db/live-environments';
import { customerSource, provisionedCustomer } from '#worker/db/schema/customers';
import { environment } from '#worker/db/schema/environments';
import { outbox } from '#worker/db/schema/operations';
import { organization } from '#worker/db/schema/organisations';
import { stripeCustomer } from '#worker/db/schema/stripe';
import { rowsWith } from './customer-names.ts';

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

/**
 * Whose facts a change of these customers may change: theirs, and those of whoever has one of their names, or of the names of the Stripe
 * customers that are, or may be now, one of them; then the created customers that all of these are. Facts say of each Stripe customer with
 * one of a customer's names who that one is.
 */
export async function readCustomersByAlias(
  db: Db,
  orgId: string,
  customers: readonly string[],
): Promise<string[]> {
  // CROSS JOIN fixes the join order: SQLite looks up each name and does not scan the organisation's customers.
  const sharing = (table: typeof stripeCustomer | typeof provisionedCustomer, id: 'id' | 'identifier') =>
    sql`SELECT name FROM (SELECT n.${sql.raw(id)} AS name FROM named g CROSS JOIN ${table} n
      WHERE n.rowid IN ${rowsWith(orgId, table, ['email', 'user_id'], sql`g.name`)} ${limitTo(MAX_SHARED)})`;
  const createdOf = (
    names: SQL,
  ) => sql`SELECT s.identifier AS name FROM ${names} f CROSS JOIN ${customerSource} s
      WHERE s.rowid IN ${rowsWith(orgId, customerSource, ['identifier', 'customer_id'], sql`f.name`)}
    UNION SELECT p.identifier FROM ${names} f CROSS JOIN ${stripeCustomer} n CROSS JOIN ${provisionedCustomer} p
      WHERE n.org_id = ${orgId} AND n.id = f.name AND p.org_id = ${orgId} AND p.identifier = n.user_id
    UNION SELECT p.identifier FROM ${names} f CROSS JOIN ${provisionedCustomer} p
      WHERE p.org_id = ${orgId} AND p.identifier = f.name`;
  const rows = await db.all<{ readonly name: string }>(sql`
    WITH given AS MATERIALIZED (SELECT value AS name FROM json_each(${JSON.stringify(customers)})),
      created AS MATERIALIZED (${createdOf(sql`given`)}),
      their AS MATERIALIZED (SELECT n.rowid AS id FROM created c CROSS JOIN ${customerSource} s CROSS JOIN ${stripeCustomer} n
          WHERE s.org_id = ${orgId} AND s.identifier = c.name AND n.integration_id = s.integration_id AND n.id = s.customer_id
        UNION SELECT n.rowid FROM created c CROSS JOIN ${stripeCustomer} n
          WHERE n.org_id = ${orgId} AND n.user_id = c.name ${limitTo(MAX_SHARED)}),
      named AS MATERIALIZED (SELECT name FROM given UNION SELECT name FROM created UNION SELECT j.value FROM their t
        CROSS JOIN ${stripeCustomer} n CROSS JOIN json_each(json_array(n.id, n.email, n.user_id)) j
        WHERE n.rowid = t.id AND j.value IS NOT NULL),
      found AS MATERIALIZED (SELECT name FROM named UNION ${sharing(stripeCustomer, 'id')}
        UNION ${sharing(provisionedCustomer, 'identifier')})
    SELECT name FROM found UNION ${createdOf(sql`found`)}`);
  return rows.map(({ name }) => name);
}
