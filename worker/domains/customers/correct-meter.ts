/**
 * Corrects what a customer has used by an amount, in the nearest data location; the others follow. The ledger remembers
 * the correction's key, so that one sent again counts once, and is written down once.
 */
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { correctMeterSchema, customerEndpoints } from '#contracts/customers';
import type { AnswerOf } from '#contracts/endpoint';
import { resolvedValue } from '#engine/entitlements/resolve';
import { auditRowIf } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { auditLog } from '#worker/db/schema/operations';
import { inspectCustomer } from '#worker/domains/access/inspect-customer';
import { countUsage } from '#worker/domains/metering/count-usage';
import { invalidField } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { loadCustomer } from './load-customer.ts';

const ACTION = 'customer.meter-corrected';

/** @throws {ApiError} not-found, invalid-request naming propertyId or by, conflict, unavailable */
export async function correctMeter(
  ctx: RequestContext,
  scope: MemberScope,
  userId: string,
  identifier: string,
  body: z.output<typeof correctMeterSchema>,
): Promise<AnswerOf<typeof customerEndpoints.correctMeter>> {
  const { db, env, now, place } = ctx;
  const { orgId } = scope;
  const { environmentId, propertyId, by, reason, idempotencyKey } = body;
  const { customer, facts } = await loadCustomer(db, scope, environmentId, identifier);
  const inspected = await inspectCustomer(ctx, scope, { environmentId, customer, facts });
  const { snapshot, resolution } = inspected;
  const property = resolution?.prepared.propertyById.get(propertyId);
  if (resolution === null || property?.type !== 'meterable') {
    throw invalidField('propertyId', 'The version deployed to this environment has no such meter');
  }
  const value = resolvedValue(resolution, property);
  if (typeof value === 'object' && value.state === 'metered' && value.meter.uniqueResourceIds) {
    throw invalidField('propertyId', 'Counts single resources: release them one by one');
  }

  const count = {
    feature: property.feature.slug,
    property: property.property.key,
    by,
    idempotencyKey: `console:${idempotencyKey}`,
    enforce: false,
  };
  const question = { customer, place, isStrict: false, now };
  const counted = await countUsage(env, snapshot, resolution, count, '', question);
  if ('outdated' in counted) throw new Error('A ledger that is told no facts has no objection');
  const [outcome] = counted.report.outcomes;
  const applied = outcome?.kind === 'decided' ? outcome.applied : 0;
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ${auditLog} WHERE ${auditLog.orgId} = ${orgId} AND ${auditLog.action} = ${ACTION} AND ${auditLog.targetId} = ${customer} AND json_extract(${auditLog.detail}, '$.idempotencyKey') = ${idempotencyKey})`;
  await commit(db, [
    auditRowIf(ctx, isNew, {
      orgId,
      actorUserId: userId,
      action: ACTION,
      targetId: customer,
      detail: { environmentId, propertyId, by, applied, reason, idempotencyKey },
    }),
  ]);
  return { applied, meter: counted.meter };
}
