/** Searches organisations across all tenants, for platform staff. Only the sudo routes may call this. */
import { desc, eq, inArray, or, type SQL } from 'drizzle-orm';
import { BILLING_PLAN_NAMES } from '#contracts/console/organisations';
import {
  SUDO_SEARCH_ROWS,
  type SudoOrganisation,
  type SudoOrganisationSummary,
} from '#contracts/console/sudo';
import { activeBlockReason } from '#engine/usage/block-reason';
import { containsText, findFolded } from '#worker/db/contains-text';
import type { Db } from '#worker/db/database';
import { organisationBilling } from '#worker/db/schema/billing';
import { organization } from '#worker/db/schema/organisations';
import { shortBlockReason } from '#worker/domains/billing/usage-block';
import { notFound } from '#worker/http/api-error';

const columns = {
  id: organization.id,
  name: organization.name,
  plan: organization.plan,
  activeStripeCustomerId: organization.activeStripeCustomerId,
  activeStripeSubscriptionId: organization.activeStripeSubscriptionId,
  blockReason: organization.blockReason,
  blockedMonthAt: organisationBilling.blockedMonthAt,
  updatedAt: organization.updatedAt,
};

/** Newest first. @param now epoch milliseconds */
export async function searchOrganisations(db: Db, search: string, now: number): Promise<SudoOrganisation[]> {
  const rows = await db
    .select(columns)
    .from(organization)
    .leftJoin(organisationBilling, eq(organisationBilling.orgId, organization.id))
    .where(search === '' ? undefined : await matches(db, search))
    .orderBy(desc(organization.createdAt), desc(organization.id))
    .limit(SUDO_SEARCH_ROWS);
  return rows.map(({ id, name, plan, ...stored }) => ({
    id,
    name,
    planDisplayName: BILLING_PLAN_NAMES[plan],
    block: blockOf(stored, now),
  }));
}

async function matches(db: Db, text: string): Promise<SQL | undefined> {
  const { id, name } = organization;
  const folded = await findFolded(db, {
    table: organization,
    columns: [name],
    text,
    limit: SUDO_SEARCH_ROWS,
  });
  return or(containsText(name, text), containsText(id, text), inArray(id, folded));
}

/** @param now epoch milliseconds @throws {ApiError} not-found */
export async function getSudoOrganisation(
  db: Db,
  orgId: string,
  now: number,
): Promise<SudoOrganisationSummary> {
  const [row] = await db
    .select(columns)
    .from(organization)
    .leftJoin(organisationBilling, eq(organisationBilling.orgId, organization.id))
    .where(eq(organization.id, orgId));
  if (row === undefined) throw notFound('The organisation');
  const { blockReason, blockedMonthAt, ...rest } = row;
  return {
    ...rest,
    planDisplayName: BILLING_PLAN_NAMES[row.plan],
    block: blockOf({ blockReason, blockedMonthAt }, now),
  };
}

interface StoredBlock {
  readonly blockReason: string | null;
  readonly blockedMonthAt: number | null;
}

function blockOf({ blockReason, blockedMonthAt }: StoredBlock, now: number): SudoOrganisation['block'] {
  const reason = activeBlockReason(blockReason, blockedMonthAt, now);
  return { isBlocked: reason !== null, blockReason: shortBlockReason(reason) };
}
