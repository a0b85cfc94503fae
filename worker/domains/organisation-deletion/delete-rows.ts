/**
 * Deletes an organisation's rows in D1: large tables in batches, then the organisation and everything that refers to it. What
 * remains is one audit row outside every organisation, which names its id only.
 */

import { and, eq, getTableName, ne, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { limitTo } from '#worker/db/limit-to';
import { artifact } from '#worker/db/schema/artifacts';
import { attempt, verification } from '#worker/db/schema/auth';
import { billableUsage, checkoutSession, organisationBilling, usageNotice } from '#worker/db/schema/billing';
import {
  countedChange,
  customer,
  customerBalance,
  customerGrant,
  customerJoin,
  customerOverride,
  customerRenewal,
  customerSource,
  deletedPlan,
  knownCustomer,
  provisionedCustomer,
  provisioningReceipt,
  subscriptionChange,
} from '#worker/db/schema/customers';
import { apiKey, environment } from '#worker/db/schema/environments';
import { feature, featureProperty } from '#worker/db/schema/features';
import { jwtIntegration } from '#worker/db/schema/integrations';
import { auditArchive, auditLog, deadLetter, outbox, storedRows } from '#worker/db/schema/operations';
import { organisationDeletion } from '#worker/db/schema/organisation-deletions';
import { organization } from '#worker/db/schema/organisations';
import { plan, planVersion } from '#worker/db/schema/plans';
import {
  planProduct,
  stripeCustomer,
  stripeIntegration,
  stripePrice,
  stripeProduct,
  stripeSyncJob,
  stripeTopUp,
} from '#worker/db/schema/stripe';
import { watchSession } from '#worker/db/schema/watch-sessions';
import { webhook, webhookCustomer, webhookDelivery } from '#worker/db/schema/webhooks';
import { workflowDisablement } from '#worker/db/schema/workflow-disablements';
import { workflowTest, workflowTrialCode } from '#worker/db/schema/workflow-tests';
import { workflow } from '#worker/db/schema/workflows';
import type { WorkContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import type { Deletion, Progress } from './progress.ts';

const BATCH_ROWS = 2_000;

/** With a column `org_id`. Rows that refer to others come first. */
const tables: readonly SQLiteTable[] = [
  ...[
    customerGrant,
    customerOverride,
    customerBalance,
    customer,
    customerRenewal,
    deletedPlan,
    knownCustomer,
    provisioningReceipt,
    customerJoin,
    customerSource,
    provisionedCustomer,
    subscriptionChange,
    planProduct,
  ],
  ...[
    stripeCustomer,
    stripePrice,
    stripeProduct,
    stripeSyncJob,
    stripeTopUp,
    stripeIntegration,
    jwtIntegration,
  ],
  ...[
    workflowTrialCode,
    workflowTest,
    workflowDisablement,
    workflow,
    planVersion,
    plan,
    featureProperty,
    feature,
  ],
  ...[apiKey, environment, artifact],
  ...[usageNotice, billableUsage, checkoutSession, organisationBilling],
  ...[watchSession, auditLog],
  ...[webhookDelivery, webhookCustomer, webhook],
];

/** The position is that of the table. */
export async function deleteRows(ctx: WorkContext, deletion: Deletion): Promise<Progress> {
  const { orgId, position } = deletion;
  const table = tables[position];
  if (table === undefined) {
    await deleteLastRows(ctx, deletion);
    return { kind: 'done' };
  }
  const name = sql.identifier(getTableName(table));
  const { meta } = await ctx.db.run(
    sql`DELETE FROM ${name} WHERE rowid IN (SELECT rowid FROM ${name} WHERE org_id = ${orgId} ${limitTo(BATCH_ROWS)})`,
  );
  return { kind: 'more', position: meta.changes < BATCH_ROWS ? position + 1 : position };
}

/** The mails to the former owners may still be in the outbox. */
async function deleteLastRows(ctx: WorkContext, deletion: Deletion): Promise<void> {
  const { db } = ctx;
  const { orgId, requestedByUserId, requestedAt, startedAt } = deletion;
  const links = `delete-organisation:${orgId}:`;
  const scope = { orgId: null, actor: { userId: requestedByUserId } };
  await change(ctx, scope, {
    write: [
      db
        .delete(outbox)
        .where(and(eq(outbox.orgId, orgId), ne(outbox.type, 'organisation.deletion-notice-due'))),
      db.delete(deadLetter).where(sql`instr(${deadLetter.body}, ${orgId}) > 0`),
      db.delete(attempt).where(sql`instr(${attempt.key}, ${orgId}) > 0`),
      db.delete(verification).where(sql`substr(${verification.identifier}, 1, ${links.length}) = ${links}`),
      db.delete(auditLog).where(eq(auditLog.orgId, orgId)),
      ...[auditArchive, countedChange, storedRows].map((table) =>
        db.delete(table).where(eq(table.orgId, orgId)),
      ),
      db.delete(organization).where(eq(organization.id, orgId)),
      db.delete(organisationDeletion).where(eq(organisationDeletion.orgId, orgId)),
    ],
    audit: { action: 'organisation.deleted', targetId: orgId, detail: { requestedAt, startedAt } },
    publish: [],
  });
}
