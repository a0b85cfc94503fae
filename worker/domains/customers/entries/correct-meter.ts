/**
 * Corrects a customer's usage by an amount, in the nearest data location; replication does the rest. The correction has an
 * idempotency key, so a retry counts once and gets one audit row.
 */
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { correctMeterSchema, customerEndpoints } from '#contracts/console/customers';
import type { AnswerOf } from '#contracts/public/endpoint';
import { configuredValue } from '#engine/entitlements/resolve';
import { auditLog } from '#worker/db/schema/operations';
import { inspectCustomer } from '#worker/domains/access/inspect-customer';
import { invalidField } from '#worker/http/api-error';
import type { CustomerScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { resolveAlias } from './resolve-alias.ts';

const ACTION = 'customer.meter-corrected';

/** @throws {ApiError} not-found, invalid-request naming propertyId or by, conflict, unavailable */
export async function correctMeter(
  ctx: RequestContext,
  scope: CustomerScope,
  identifier: string,
  body: z.output<typeof correctMeterSchema>,
): Promise<AnswerOf<typeof customerEndpoints.correctMeter>> {
  const { db } = ctx;
  const { orgId } = scope;
  const { environmentId, propertyId, by, reason, idempotencyKey } = body;
  const { customer, facts } = await resolveAlias(db, scope, environmentId, identifier);
  const environment = { environmentId, identifier, customer, facts };
  const { resolution } = await inspectCustomer(ctx, scope, environment);
  const property = resolution?.prepared.propertyById.get(propertyId);
  if (resolution === null || property?.type !== 'meterable') {
    throw invalidField('propertyId', 'The environment’s version has no such meter', 'meter-unknown');
  }
  const value = configuredValue(resolution, property);
  if (typeof value === 'object' && value.state === 'metered' && value.meter.uniqueResourceIds) {
    throw invalidField(
      'propertyId',
      'This meter counts unique resources. Release them one by one.',
      'meter-counts-resources',
    );
  }

  const { counted } = await inspectCustomer(ctx, scope, environment, {
    kind: 'update',
    idempotencyHeader: null,
    count: {
      feature: property.feature.slug,
      property: property.property.key,
      by,
      idempotencyKey: `${'key' in scope.actor ? 'api' : 'console'}:${idempotencyKey}`,
      enforce: false,
      isCorrection: true,
    },
  });
  if (counted === null) throw new Error('The correction was not counted');
  const { applied, meter } = counted;
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ${auditLog} WHERE ${auditLog.orgId} = ${orgId}
    AND ${auditLog.action} = ${ACTION} AND ${auditLog.targetId} = ${customer}
    AND json_extract(${auditLog.detail}, '$.idempotencyKey') = ${idempotencyKey}
    AND (${auditLog.actorKey} IS NULL) = ${'key' in scope.actor ? 0 : 1})`;
  await change(ctx, scope, {
    write: [],
    audit: {
      action: ACTION,
      targetId: customer,
      detail: { environmentId, propertyId, by, applied, reason, idempotencyKey },
      onlyIf: isNew,
    },
    publish: [],
  });
  return { applied, meter };
}
