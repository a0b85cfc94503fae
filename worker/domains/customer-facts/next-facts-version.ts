/**
 * The version of a change of customer facts: an instant, later than every version that the organisation's facts have had, even if the clocks
 * of two Workers differ. A change takes it first, and each row that it writes has it. See
 * docs/decisions/0038-versions-of-facts-are-counted-by-the-organisation.md.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db, Statement } from '#worker/db/database';
import { organization } from '#worker/db/schema/organisations';
import { stripeCustomer, stripeIntegration } from '#worker/db/schema/stripe';

/**
 * The first statement of a change of facts. In those that follow it in the transaction, `factsVersion` is the change's.
 * @param isNeeded condition: facts change
 */
export function takeFactsVersion(db: Db, orgId: string, now: number, isNeeded?: SQL): Statement {
  const { factsVersion: last, factsEpoch } = organization;
  return db
    .update(organization)
    .set({ factsVersion: sql`max(${now}, 1 + ${last}, 1 + ${factsEpoch})` })
    .where(and(eq(organization.id, orgId), isNeeded));
}

/** SQL: the version that the organisation's last change of facts has taken. */
export function factsVersion(orgId: string): SQL<number> {
  return sql<number>`(SELECT o.facts_version FROM ${organization} o WHERE o.id = ${orgId})`;
}

/**
 * The statement that gives Stripe customers the version of the change that it is part of: what they say of themselves is as it was, but
 * they are somebody else now. Facts of a deleted integration have the version of its deletion.
 * @param customers SQL: rows of `integration_id` and `customer_id`
 */
export function raiseVersions(db: Db, orgId: string, customers: SQL): Statement {
  const version = factsVersion(orgId);
  return db
    .update(stripeCustomer)
    .set({ factsVersion: version })
    .where(
      sql`${stripeCustomer}.rowid IN (SELECT s.rowid FROM (${customers}) c CROSS JOIN ${stripeCustomer} s CROSS JOIN ${stripeIntegration} u
        WHERE s.integration_id = c.integration_id AND s.id = c.customer_id AND u.id = s.integration_id AND u.deleted_at IS NULL)
        AND ${stripeCustomer.factsVersion} < ${version}`,
    );
}

/**
 * Of all facts of the organisation: when the last integration was deleted, or began or ceased to say user ids, or when the database
 * was restored.
 */
export function organisationVersion(orgId: string): SQL {
  return sql`max(coalesce((SELECT max(max(coalesce(e.deleted_at, 0), e.user_ids_at)) FROM ${stripeIntegration} e
    WHERE e.org_id = ${orgId}), 0), coalesce((SELECT o.facts_epoch FROM ${organization} o WHERE o.id = ${orgId}), 0))`;
}
