/** Sets a property's value for one customer. It takes precedence over every plan and replaces an earlier override. */
import { and, eq, isNull, ne, or, sql } from 'drizzle-orm';
import type { z } from 'zod';
import {
  type CustomerOverride,
  MAX_OVERRIDES,
  type overridePropertySchema,
} from '#contracts/console/customers';
import { checkValue } from '#engine/values/kinds/check-value';
import { normaliseValue } from '#engine/values/kinds/normalise-value';
import { customerOverride } from '#worker/db/schema/customers';
import { featureProperty } from '#worker/db/schema/features';
import { invalidField, invalidRequest, Refusal } from '#worker/http/api-error';
import type { CustomerScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { authorOf } from './author-of.ts';
import { customerFactsOf, isOwnEnvironment } from './customer-change.ts';
import { asOverride, type OverrideRow } from './customer-store.ts';
import { ensureFuture } from './ensure-future.ts';

/** @throws {ApiError} invalid-request naming propertyId, value, environmentId or until */
export async function overrideProperty(
  ctx: RequestContext,
  scope: CustomerScope,
  identifier: string,
  body: z.output<typeof overridePropertySchema>,
): Promise<CustomerOverride> {
  const { db, now } = ctx;
  const { orgId } = scope;
  const { environmentId, propertyId, reason, until } = body;
  ensureFuture(until, now);
  const [property] = await db
    .select()
    .from(featureProperty)
    .where(and(eq(featureProperty.id, propertyId), eq(featureProperty.orgId, orgId)));
  if (property === undefined)
    throw invalidField('propertyId', 'There is no such property', 'property-unknown');
  const issues = checkValue(property, body.value);
  if (issues.length > 0) {
    throw invalidRequest(
      issues.map(({ path, message }) => ({ path: path === '' ? 'value' : `value.${path}`, message })),
      'value-invalid',
    );
  }
  const row: OverrideRow = {
    id: ctx.newId('ovr'),
    orgId,
    environmentId,
    customerIdentifier: identifier,
    propertyId,
    value: normaliseValue(body.value),
    reason,
    until,
    createdAt: now,
    updatedAt: now,
    ...authorOf(scope),
  };

  const isTheirs = and(
    eq(customerOverride.orgId, orgId),
    eq(customerOverride.customerIdentifier, identifier),
  );
  const inSameEnvironment =
    environmentId === null
      ? isNull(customerOverride.environmentId)
      : eq(customerOverride.environmentId, environmentId);
  const isReplaced = and(isTheirs, eq(customerOverride.propertyId, propertyId), inSameEnvironment);
  const others = and(
    isTheirs,
    or(ne(customerOverride.propertyId, propertyId), sql`NOT ${inSameEnvironment}`),
  );
  const count = sql`(SELECT count(*) FROM ${customerOverride} WHERE ${others})`;
  const tooMany = `A customer can have at most ${MAX_OVERRIDES} overrides`;
  const previous = db.select({ id: customerOverride.id }).from(customerOverride).where(isReplaced);
  const [replaced] = await db.select().from(customerOverride).where(isReplaced);
  const { unmet } = await change(ctx, scope, {
    when: {
      isAsRead: sql`(${previous}) IS ${replaced?.id ?? null}`,
      hasEnvironment: isOwnEnvironment(scope, environmentId),
      isBelowLimit: [
        sql`${count} < ${MAX_OVERRIDES}`,
        () => new Refusal('conflict', 'override-limit-reached', tooMany),
      ],
    },
    write: [db.delete(customerOverride).where(isReplaced), db.insert(customerOverride).values(row)],
    audit: {
      action: 'customer.property-overridden',
      targetId: identifier,
      detail: {
        overrideId: row.id,
        propertyId,
        ...(replaced !== undefined && { from: replaced.value }),
        value: row.value,
        environmentId,
        until,
        reason,
      },
    },
    publish: [customerFactsOf(ctx, scope, { identifier }, environmentId)],
  });
  // Another call has set it meanwhile: the log names the value that this one replaces.
  return unmet === null ? asOverride(row) : overrideProperty(ctx, scope, identifier, body);
}
