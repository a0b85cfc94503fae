/**
 * Consumer of webhook.customers-changed: compares what customers may do with what webhooks were told last, and tells what changed. A
 * customer of whom nothing was told is new, and compared with one that has no plan of its own.
 */
import { and, eq, ne, sql } from 'drizzle-orm';
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { EntitlementsCause } from '#contracts/public/webhooks';
import type { AccessEnvironment } from '#engine/access/access-environment';
import { NOWHERE } from '#engine/access/place';
import { resolveSubject } from '#engine/access/resolve-subject';
import { canonicalJson } from '#engine/artifacts/canonical-json';
import { activeFacts } from '#engine/entitlements/active-facts';
import { compareResolutions } from '#engine/entitlements/compare-resolutions';
import { NO_FACTS } from '#engine/entitlements/no-facts';
import type { Resolution } from '#engine/entitlements/resolution';
import type { WebhookCustomersChanged } from '#runtime/messages';
import { sendMessage } from '#runtime/send-message';
import { commitIf } from '#worker/db/commit-if';
import { limitTo } from '#worker/db/limit-to';
import { liveEnvironment } from '#worker/db/live-environments';
import { environment } from '#worker/db/schema/environments';
import { webhook, webhookCustomer, webhookDelivery } from '#worker/db/schema/webhooks';
import { loadFactsOfMany } from '#worker/domains/customer-facts/load-customer-facts';
import { snapshotCacheOf } from '#worker/domains/snapshots/snapshot-cache-of';
import type { WorkContext } from '#worker/http/request-context';
import { outboxDone } from '#worker/queue/outbox';
import { describeChanges } from './describe-changes.ts';
import { areBeingNoted } from './note-customers.ts';
import { insertDeliveries, type News } from './tell-webhooks.ts';
import { wakeWebhooks } from './wake-webhooks.ts';

/** Of one webhook. With more, customers wait in the outbox, and are told what is true then. */
const MAX_WAITING = 10_000;
/** When a change is looked at again that happens while customers are being noted. */
const NOTED_WITHIN_S = 2;
/** Customers whose changes are stored at the same time. */
const AT_ONCE = 10;

/** @throws {Error} while a webhook has too much to be sent, or an environment cannot be read: the outbox repeats it */
export async function tellCustomersChanged(
  ctx: WorkContext,
  message: WebhookCustomersChanged,
): Promise<void> {
  const { db } = ctx;
  const { orgId, environmentId, outboxId, customers } = message;
  if (await areBeingNoted(db, orgId)) return sendMessage(ctx.env, message, NOTED_WITHIN_S);
  await ensureRoom(ctx, orgId);
  const environments = await db
    .select({ id: environment.id, name: environment.name, type: environment.type })
    .from(environment)
    .where(and(liveEnvironment(orgId, environmentId ?? undefined), ne(environment.type, 'preview')));
  for (const place of environments) await tellOf(ctx, orgId, place as Place, customers);
  await wakeWebhooks(ctx, { orgId });
  await outboxDone(db, outboxId);
}

async function ensureRoom({ db }: WorkContext, orgId: string): Promise<void> {
  const waiting = sql`SELECT 1 FROM ${webhookDelivery} WHERE ${webhookDelivery.webhookId} = ${webhook.id}
    AND ${webhookDelivery.state} = 'waiting' ${limitTo(MAX_WAITING)}`;
  const isFull = sql`(SELECT count(*) FROM (${waiting})) = ${MAX_WAITING}`;
  const [full] = await db
    .select({ id: webhook.id })
    .from(webhook)
    .where(and(eq(webhook.orgId, orgId), isFull))
    .limit(1);
  if (full !== undefined) throw new Error(`The webhook ${full.id} has ${MAX_WAITING} events to be sent`);
}

interface Place {
  readonly id: string;
  readonly name: string;
  readonly type: 'live' | 'test';
}

type Told = typeof webhookCustomer.$inferSelect;

async function tellOf(
  ctx: WorkContext,
  orgId: string,
  place: Place,
  customers: readonly string[],
): Promise<void> {
  const { db, env, waitUntil } = ctx;
  const loaded = await snapshotCacheOf(env).get(place.id, NOWHERE, waitUntil);
  if (loaded === null || loaded.prepared === null) return;
  const known = sql`${webhookCustomer.customer} IN (SELECT value FROM json_each(${JSON.stringify(customers)}))`;
  const [facts, told] = await Promise.all([
    loadFactsOfMany(db, { orgId }, place.id, customers),
    db
      .select()
      .from(webhookCustomer)
      .where(and(eq(webhookCustomer.environmentId, place.id), known)),
  ]);
  const before = new Map(told.map((row) => [row.customer, row]));
  const left = [...facts];
  const next = async (): Promise<void> => {
    const [customer, now] = left.shift() ?? [];
    if (customer === undefined || now === undefined) return;
    await tellOne(ctx, { orgId, place, loaded, customer, before: before.get(customer), facts: now });
    return next();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

interface Compared {
  readonly orgId: string;
  readonly place: Place;
  readonly loaded: AccessEnvironment;
  readonly customer: string;
  readonly before: Told | undefined;
  readonly facts: CustomerFacts;
}

/** What another invocation told meanwhile is left to it: its message is repeated, too, if it knew less. */
async function tellOne(ctx: WorkContext, compared: Compared): Promise<void> {
  const { db, now } = ctx;
  const { orgId, place, loaded, customer, before, facts } = compared;
  // Another name of a customer, which is told of itself.
  if (activeFacts(facts, loaded.snapshot.stripeIntegrationIds).aliasOf) return;
  if (facts.version <= (before?.version ?? 0)) return;
  const former = resolutionOf(loaded, customer, before?.facts ?? NO_FACTS, before?.toldAt ?? now);
  const current = resolutionOf(loaded, customer, facts, now);
  if (former === null || current === null) return;
  const changes = compareResolutions(former, current);
  const havePlansChanged = former.planSlugs.join() !== current.planSlugs.join();
  const row = { environmentId: place.id, customer, orgId, facts, version: facts.version, toldAt: now };
  const isIt = and(eq(webhookCustomer.environmentId, place.id), eq(webhookCustomer.customer, customer));
  const version = sql`(SELECT ${webhookCustomer.version} FROM ${webhookCustomer} WHERE ${isIt})`;
  const news: News = {
    type: 'customer.entitlements_changed',
    data: {
      environment: place,
      sequence: facts.version,
      customer: { id: customer, userIds: (facts.userIds ?? []).map(({ id }) => id) },
      cause: causeOf(before?.facts ?? NO_FACTS, facts),
      plans: [...current.planSlugs],
      ...describeChanges(changes),
    },
  };
  const isTold = changes.length > 0 || havePlansChanged;
  await commitIf(db, { isAsRead: sql`${version} IS ${before?.version ?? null}` }, [
    ...(isTold ? [insertDeliveries(ctx, { orgId }, place.id, news)] : []),
    db
      .insert(webhookCustomer)
      .values(row)
      .onConflictDoUpdate({ target: [webhookCustomer.environmentId, webhookCustomer.customer], set: row }),
  ]);
}

function resolutionOf(
  loaded: AccessEnvironment,
  customer: string,
  given: CustomerFacts,
  now: number,
): Resolution | null {
  const facts = activeFacts(given, loaded.snapshot.stripeIntegrationIds);
  const identity = {
    isAuthenticated: true,
    method: 'identifier',
    identifier: customer,
    expiresAt: Number.POSITIVE_INFINITY,
  } as const;
  return resolveSubject({ loaded, now }, identity, undefined, { customer, facts }).resolution;
}

const CAUSES: readonly (readonly [EntitlementsCause, (facts: CustomerFacts) => unknown])[] = [
  [
    'subscription',
    ({ stripe, namesakes }) => [stripe?.subscriptions, namesakes?.map((each) => each.subscriptions)],
  ],
  ['grant', ({ grants }) => grants.map(({ planId }) => planId)],
  ['override', ({ overrides }) => overrides],
  ['balance', ({ balances }) => balances],
];

/** The first of the facts that differ. Those that are the same have ended by the clock. */
function causeOf(before: CustomerFacts, after: CustomerFacts): EntitlementsCause {
  // Facts of earlier releases are compared with new ones: absent is null.
  const textOf = (value: unknown) => canonicalJson(JSON.parse(JSON.stringify(value ?? null)));
  const [cause] = CAUSES.find(([, of]) => textOf(of(before)) !== textOf(of(after))) ?? [];
  if (cause !== undefined) return cause;
  return textOf({ ...before, version: 0 }) === textOf({ ...after, version: 0 }) ? 'expiry' : 'other';
}
