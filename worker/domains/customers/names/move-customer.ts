/**
 * Moves what is stored under a name that calls cannot send to the identifier that they do send: grants, overrides and usage. What
 * that one has stays. The move cannot be undone, because ledgers merge usage once.
 */
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Customer, moveCustomerSchema } from '#contracts/console/customers';
import { canonicalOf, readIdentifier } from '#contracts/public/identifiers';
import { customer, knownCustomer } from '#worker/db/schema/customers';
import { connectedCustomersOf } from '#worker/domains/customers/entries/customer-change';
import { getCustomer } from '#worker/domains/customers/entries/customer-store';
import { invalidField, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { renameCustomer } from './rename-customer.ts';

/**
 * @param from as stored
 * @throws {ApiError} invalid-request naming identifier if calls can send the name; not-found if nothing is stored under it
 */
export async function moveCustomer(
  ctx: RequestContext,
  scope: MemberScope,
  from: string,
  body: z.output<typeof moveCustomerSchema>,
): Promise<Customer> {
  const { db, now } = ctx;
  const { orgId } = scope;
  if (readIdentifier(from).ok)
    throw invalidField(
      'identifier',
      'This identifier is valid. Only identifiers that calls can’t send can be moved.',
    );
  const to = canonicalOf(body.to);
  const { message, statements } = renameCustomer(db, { orgId, from, to, outboxId: ctx.newId('out') }, now);
  const isIn = (table: typeof customer | typeof knownCustomer) =>
    sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.orgId} = ${orgId} AND ${table.identifier} = ${from})`;
  await change(ctx, scope, {
    when: {
      isStored: [sql`(${isIn(customer)} OR ${isIn(knownCustomer)})`, () => notFound('The customer')],
    },
    write: statements,
    audit: { action: 'customer.moved', targetId: to, detail: { from } },
    publish: [connectedCustomersOf(ctx, message)],
  });
  return getCustomer(ctx, scope, to);
}
