/** Makes the snapshot of an environment from D1 and R2: what publishing sends, and what a cold check falls back on. */

import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { limitsOf } from '#contracts/console/api-keys';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import { inLocationOrder } from '#engine/regions/data-locations';
import { MONTHLY_ALLOWANCES } from '#engine/usage/usage-level';
import type { Db } from '#worker/db/database';
import { leavingOf, leavingRows } from '#worker/db/leaving-locations';
import { artifact } from '#worker/db/schema/artifacts';
import { organisationBilling } from '#worker/db/schema/billing';
import {
  customerBalance,
  customerGrant,
  customerOverride,
  type EntryTable,
  provisionedCustomer,
} from '#worker/db/schema/customers';
import { apiKey, environment } from '#worker/db/schema/environments';
import { jwtIntegration } from '#worker/db/schema/integrations';
import { organization } from '#worker/db/schema/organisations';
import { stripeIntegration } from '#worker/db/schema/stripe';
import { workflowDisablement } from '#worker/db/schema/workflow-disablements';
import { findWorkflowCode } from '#worker/domains/workflow-code/keep-workflow-code';
import type { Env } from '#worker/env';
import { getContentText } from './keep-artifact-content.ts';

/**
 * Read in one transaction, so that a generation always identifies the same content. A deleted environment's snapshot
 * has no keys, and so refuses everything.
 * @param codeOf prepareWorkflowCode to publish it
 * @returns null where there never was such an environment
 */
export async function loadSnapshot(
  env: Env,
  db: Db,
  environmentId: string,
  codeOf: typeof findWorkflowCode = findWorkflowCode,
): Promise<EnvironmentSnapshot | null> {
  const orgIdHere = sql`(SELECT ${environment.orgId} FROM ${environment} WHERE ${eq(environment.id, environmentId)})`;
  const [rows, keys, issuers, accounts, disabled, leaving] = await db.batch([
    db
      .select({
        generation: environment.generation,
        orgId: environment.orgId,
        environmentType: environment.type,
        deletedAt: environment.deletedAt,
        artifactId: environment.artifactId,
        ledgerShards: environment.ledgerShards,
        artifactNumber: artifact.number,
        artifactHash: artifact.hash,
        dataLocations: organization.dataLocations,
        blockReason: organization.blockReason,
        blockedMonthAt: organisationBilling.blockedMonthAt,
        plan: organization.plan,
        factsEpoch: organization.factsEpoch,
        usedMonthAt: organisationBilling.usedMonthAt,
        usedPercent: organisationBilling.usedPercent,
        hasCustomerFacts: hasCustomerFacts(environmentId),
      })
      .from(environment)
      .innerJoin(organization, eq(organization.id, environment.orgId))
      .leftJoin(organisationBilling, eq(organisationBilling.orgId, environment.orgId))
      .leftJoin(artifact, eq(artifact.id, environment.artifactId))
      .where(eq(environment.id, environmentId)),
    db
      .select({
        id: apiKey.id,
        type: apiKey.type,
        hash: apiKey.hash,
        rateLimit: apiKey.rateLimit,
        allowanceShare: apiKey.allowanceShare,
        managesCustomers: apiKey.managesCustomers,
      })
      .from(apiKey)
      .where(eq(apiKey.environmentId, environmentId))
      .orderBy(asc(apiKey.id)),
    db
      .select({
        id: jwtIntegration.id,
        claimKey: jwtIntegration.claimKey,
        claimIndex: jwtIntegration.claimIndex,
        entityClaimKey: jwtIntegration.entityClaimKey,
        audience: jwtIntegration.audience,
        issuer: jwtIntegration.issuer,
        acceptsUnverifiedEmails: jwtIntegration.acceptsUnverifiedEmails,
        publicKeys: jwtIntegration.publicKeys,
        keyAddress: jwtIntegration.keyAddress,
      })
      .from(jwtIntegration)
      .where(eq(jwtIntegration.orgId, orgIdHere))
      .orderBy(asc(jwtIntegration.createdAt), asc(jwtIntegration.id)),
    db
      .select({
        id: stripeIntegration.id,
        name: stripeIntegration.name,
        policy: stripeIntegration.subscriptionPolicy,
      })
      .from(stripeIntegration)
      .where(and(eq(stripeIntegration.orgId, orgIdHere), isNull(stripeIntegration.deletedAt)))
      .orderBy(asc(stripeIntegration.id)),
    db
      .select({ id: workflowDisablement.workflowId })
      .from(workflowDisablement)
      .where(eq(workflowDisablement.environmentId, environmentId))
      .orderBy(asc(workflowDisablement.workflowId)),
    leavingRows(db, environmentId),
  ]);
  const [row] = rows;
  if (row === undefined) return null;
  const { orgId, artifactId, artifactHash } = row;
  const isDeleted = row.deletedAt !== null;
  const content =
    artifactHash === null || isDeleted ? '' : await getContentText(env, { orgId }, artifactHash);
  return {
    generation: row.generation,
    orgId,
    environmentId,
    environmentType: row.environmentType,
    isDeleted,
    locations: inLocationOrder(row.dataLocations),
    leaving: leavingOf(leaving),
    artifact:
      artifactId === null || artifactHash === null || isDeleted
        ? null
        : {
            id: artifactId,
            number: row.artifactNumber,
            hash: artifactHash,
            content,
            workflowCode: await codeOf(env, { orgId }, content),
          },
    keys: isDeleted ? [] : keys.map((key) => ({ ...key, ...limitsOf(key) })),
    jwtIssuers: isDeleted
      ? []
      : issuers.map(({ publicKeys, keyAddress, ...issuer }) => ({
          ...issuer,
          keys: publicKeys.map(({ jwk }) => jwk),
          ...(keyAddress !== null && { hasKeyAddress: true as const }),
        })),
    ledgerShards: row.ledgerShards,
    hasCustomerFacts: !isDeleted && Boolean(row.hasCustomerFacts),
    ...(row.factsEpoch > 0 && { factsEpoch: row.factsEpoch }),
    stripeIntegrationIds: isDeleted ? [] : accounts.map(({ id }) => id),
    subscriptionPolicies: Object.fromEntries(
      accounts.flatMap(({ id, name, policy }) => (policy === null ? [] : [[id, { ...policy, name }]])),
    ),
    disabledWorkflowIds: isDeleted ? [] : disabled.map(({ id }) => id),
    block: row.blockReason === null ? null : { reason: row.blockReason, monthAt: row.blockedMonthAt },
    usedShare:
      row.usedMonthAt === null || row.usedPercent === null || MONTHLY_ALLOWANCES[row.plan] === null
        ? null
        : { monthAt: row.usedMonthAt, percent: row.usedPercent },
  };
}

/**
 * Whether the environment has a manual grant, an override, a balance, a connected Stripe account, or an email or user id of a customer created by API.
 * @param environmentId a text, or the column of a statement
 */
export function hasCustomerFacts(environmentId: string | SQL): SQL<number> {
  const orgId = sql`(SELECT e.org_id FROM ${environment} e WHERE e.id = ${environmentId})`;
  const isSaid = (table: EntryTable) =>
    sql`EXISTS (SELECT 1 FROM ${table} f WHERE f.org_id = ${orgId} AND (f.environment_id IS NULL OR f.environment_id = ${environmentId}))`;
  const isConnected = sql`EXISTS (SELECT 1 FROM ${stripeIntegration} i WHERE i.org_id = ${orgId} AND i.deleted_at IS NULL)`;
  const isNamed = sql`EXISTS (SELECT 1 FROM ${provisionedCustomer} p WHERE p.environment_id = ${environmentId}
    AND (p.email IS NOT NULL OR p.user_id IS NOT NULL))`;
  const isGiven = sql`${isSaid(customerGrant)} OR ${isSaid(customerOverride)} OR ${isSaid(customerBalance)}`;
  return sql<number>`(${isConnected} OR ${isGiven} OR ${isNamed})`;
}
