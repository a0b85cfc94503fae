/**
 * Scheduled work: customers that earlier releases stored under another spelling move to the canonical one, and ids in several
 * accounts get facts with all of them. The migration listed them; a run takes some, and the next one goes on. What cannot be
 * read as an identifier keeps its name, under which the console finds it.
 */
import { and, eq, sql } from 'drizzle-orm';
import { canonicalOf } from '#contracts/public/identifiers';
import type { StripeCustomersChanged } from '#runtime/messages';
import { sendMessage } from '#runtime/send-message';
import type { Db } from '#worker/db/database';
import { customer, customerRenewal } from '#worker/db/schema/customers';
import { stripeCustomer } from '#worker/db/schema/stripe';
import { knownCustomerStatements } from '#worker/domains/customer-facts/known-customers';
import { factsVersion, takeFactsVersion } from '#worker/domains/customer-facts/next-facts-version';
import type { WorkContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { renameCustomer } from './rename-customer.ts';

/** Read per run. Nearly all of them are canonical. */
const MAX_READ = 2_000;
/** Per run: each takes a batch of about twenty statements. */
const MAX_RENEWED = 20;

type Renewal = typeof customerRenewal.$inferSelect;

export async function renewIdentifiers(ctx: WorkContext): Promise<void> {
  const { db, log } = ctx;
  const rows = await db.select().from(customerRenewal).orderBy(sql`rowid`).limit(MAX_READ);
  if (rows.length === 0) return;
  const isDone = ({ identifier, reason }: Renewal) =>
    reason === 'spelling' && canonicalOf(identifier) === identifier;
  const done = rows.filter(isDone).map(({ orgId, identifier, reason }) => [orgId, identifier, reason]);
  await db
    .delete(customerRenewal)
    .where(
      sql`(org_id, identifier, reason) IN (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${JSON.stringify(done)}))`,
    );
  for (const row of rows.filter((each) => !isDone(each)).slice(0, MAX_RENEWED)) {
    try {
      await renew(ctx, row);
    } catch (error) {
      log.error('a customer stored by an earlier release could not be renewed', { orgId: row.orgId, error });
      await moveToEnd(db, row);
    }
  }
}

const isSame = ({ orgId, identifier, reason }: Renewal) =>
  and(
    eq(customerRenewal.orgId, orgId),
    eq(customerRenewal.identifier, identifier),
    eq(customerRenewal.reason, reason),
  );

/** Stored again, the row is the last: those that always fail keep no others from their turn. */
async function moveToEnd(db: Db, row: Renewal): Promise<void> {
  const last = sql`(SELECT max(rowid) + 1 FROM ${customerRenewal})`;
  await db.run(sql`UPDATE ${customerRenewal} SET rowid = ${last} WHERE ${isSame(row)}`);
}

async function renew(ctx: WorkContext, row: Renewal): Promise<void> {
  const { orgId, identifier, reason } = row;
  const { db } = ctx;
  const outboxId = ctx.newId('out');
  const { message, statements } =
    reason === 'accounts'
      ? reread(ctx, orgId, identifier, outboxId)
      : respell(ctx, orgId, identifier, outboxId);
  const scope = { orgId, actor: null };
  await change(ctx, scope, {
    write: [...statements, db.delete(customerRenewal).where(isSame(row))],
    audit: null,
    publish: [{ messages: [message], announce: () => sendMessage(ctx.env, message) }],
  });
}

/** The email of Stripe customers is respelt as well; a sync would do the same. */
function respell({ db, now }: WorkContext, orgId: string, from: string, outboxId: string) {
  const to = canonicalOf(from);
  const { message, statements } = renameCustomer(db, { orgId, from, to, outboxId }, now);
  const emails = db
    .update(stripeCustomer)
    .set({ email: to, factsVersion: factsVersion(orgId) })
    .where(and(eq(stripeCustomer.orgId, orgId), eq(stripeCustomer.email, from)));
  return { message, statements: [takeFactsVersion(db, orgId, now), emails, ...statements] };
}

/** Raises the version of the facts, so that ledgers take those of this release. */
function reread({ db, now }: WorkContext, orgId: string, id: string, outboxId: string) {
  const message: StripeCustomersChanged = {
    type: 'stripe.customers-changed',
    outboxId,
    orgId,
    customers: [id],
  };
  const version = factsVersion(orgId);
  return {
    message,
    statements: [
      takeFactsVersion(db, orgId, now),
      db
        .insert(customer)
        .values({ orgId, identifier: id, factsVersion: version, createdAt: 0, updatedAt: now })
        .onConflictDoUpdate({
          target: [customer.orgId, customer.identifier],
          set: { factsVersion: version, updatedAt: now },
        }),
      ...knownCustomerStatements(db, orgId, [{ identifier: id }], now),
    ],
  };
}
