/**
 * Creates a customer in one environment, or changes its name, email and user id. The email becomes an alias of the customer if it
 * is nobody's yet and has no data of its own; then no later Stripe customer with it takes anything over. The user id becomes one if it
 * is nobody's yet, and what is stored under it is the customer's. See
 * worker/domains/customers/README.md, "Customers created by API".
 */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CustomerDetails } from '#engine/access/saved-details';
import { DAY_MS } from '#engine/durations';
import { isAliasOf } from '#engine/entitlements/active-facts';
import { insertSelect } from '#worker/db/insert-select';
import {
  customerBalance,
  customerGrant,
  customerOverride,
  type EntryTable,
  provisionedCustomer,
} from '#worker/db/schema/customers';
import { stripeCustomer } from '#worker/db/schema/stripe';
import { isSeenIn } from '#worker/domains/customer-facts/customer-names';
import { hasOwnUsage } from '#worker/domains/customer-facts/has-own-usage';
import { knownCustomerStatements } from '#worker/domains/customer-facts/known-customers';
import { renewWordsOf } from '#worker/domains/customer-facts/renew-words-of';
import { customerFactsOf } from '#worker/domains/customers/entries/customer-change';
import type { Saying } from '#worker/domains/customers/names/join-customer';
import { conflicting, Refusal, retryAfter } from '#worker/http/api-error';
import type { CustomerScope } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { isWithinBudget } from './customer-budget.ts';
import type { Target } from './find-target.ts';
import type { Provisioning } from './open-provisioning.ts';

/** Per environment. */
export const MAX_CUSTOMERS = 1_000_000;
/** New ones, per environment and 24 hours. */
export const MAX_NEW_CUSTOMERS = 100_000;

/** What was read of the customer is no longer so: to be decided again. */
export class ChangedByAnother extends Refusal<'conflict'> {
  constructor() {
    super('conflict', 'customer-busy', 'Other calls are changing the customer. Try again in a moment.');
  }
}

const changedByAnother = () => new ChangedByAnother();

const emailTaken = (why: string) => conflicting('email-taken', 'email', why);
const userIdTaken = (why: string) => conflicting('user-id-taken', 'userId', why);
const emailHasData = () =>
  conflicting(
    'email-has-data',
    'email',
    'This email has grants, overrides or usage of its own. Use it as the customer’s ID instead',
  );

/**
 * @param saying which Stripe customer it is, committed with it
 * @throws {ApiError} as say; conflict naming customer or email; rate-limited; unavailable @throws {ChangedByAnother}
 */
export async function saveCustomer(
  { ctx, environmentId, scope: { actor } }: Provisioning,
  scope: CustomerScope,
  { customer: identifier, created, facts }: Target,
  { name, email, userId }: CustomerDetails,
  saying: Saying | null,
): Promise<void> {
  const { db, now } = ctx;
  const { orgId } = scope;
  const before = created?.email ?? null;
  const userIdBefore = created?.userId ?? null;
  // What is its Stripe customer's is its own already.
  const isOwn = (alias: string) => isAliasOf(facts, alias);
  const isNewEmail = email !== null && email !== before && !isOwn(email);
  if (isNewEmail && (await hasOwnUsage(ctx, orgId, environmentId, email))) throw emailHasData();

  const isHere = eq(provisionedCustomer.environmentId, environmentId);
  const isAt = (column: 'id' | 'email' | 'user_id', value: string | null) =>
    sql`EXISTS (SELECT 1 FROM ${stripeCustomer} s WHERE s.org_id = ${orgId} AND s.${sql.raw(column)} = ${value}
      AND ${isSeenIn(sql`s`, environmentId)}
      AND NOT (s.integration_id IS ${saying?.source?.integrationId ?? null} AND s.id IS ${saying?.source?.customerId ?? null}))`;
  const isId = (of: string | null) =>
    sql`EXISTS (SELECT 1 FROM ${provisionedCustomer} WHERE ${and(isHere, eq(provisionedCustomer.identifier, of ?? ''))})`;
  const isFreeId = (condition: SQL) =>
    userId !== null && userId !== userIdBefore && !isOwn(userId) ? sql`NOT (${condition})` : sql`TRUE`;
  const hasEntries = (table: EntryTable) =>
    sql`EXISTS (SELECT 1 FROM ${table} e WHERE e.org_id = ${orgId} AND e.customer_identifier = ${email}
      AND (e.environment_id IS NULL OR e.environment_id = ${environmentId}))`;
  const isFree = (condition: SQL) => (isNewEmail ? sql`NOT (${condition})` : sql`TRUE`);
  const last = sql`(SELECT coalesce(max(serial), 0) FROM ${provisionedCustomer} WHERE environment_id = ${environmentId})`;
  const isBelow = (limit: SQL) => (created === null ? limit : sql`TRUE`);
  const belongsToStripe = 'Belongs to a customer of a connected Stripe account';

  const found = and(isHere, eq(provisionedCustomer.identifier, identifier));
  const isAsRead =
    created === null
      ? sql`NOT EXISTS (SELECT 1 FROM ${provisionedCustomer} WHERE ${found})`
      : sql`EXISTS (SELECT 1 FROM ${provisionedCustomer} WHERE ${found} AND ${provisionedCustomer.name} IS ${created.name}
          AND ${provisionedCustomer.email} IS ${created.email} AND ${provisionedCustomer.userId} IS ${created.userId})`;
  const details = { identifier, name, email };
  const changed = [
    ...(email === before ? [] : [before, email]),
    ...(userId === userIdBefore ? [] : [userIdBefore, userId]),
  ];
  const aliases = changed.flatMap((each) => each ?? []);
  // Whose metadata names the customer is it from its creation on, and it is no longer known in another mode only.
  const hasNewFacts = created === null && (Boolean(facts.namesakes?.length) || facts.isInOtherMode === true);
  // A name is no fact. With facts, their publication brings the list up to date, and the words of the Stripe customers that it is.
  const isPublished = aliases.length > 0 || saying !== null || facts.stripe != null || hasNewFacts;
  await change(ctx, scope, {
    when: {
      isAsRead: [isAsRead, changedByAnother],
      ...saying?.when,
      isOurs: [
        created === null ? sql`NOT (${isAt('id', identifier)} OR ${isAt('email', identifier)})` : sql`TRUE`,
        () => conflicting('customer-in-stripe', 'customer', belongsToStripe),
      ],
      isNoOtherEmail: [isFree(isAt('email', email)), () => emailTaken(belongsToStripe)],
      isNoOtherId: [isFree(isId(email)), () => emailTaken('Is the ID of another customer')],
      hasNoEntries: [
        isFree(
          sql`${hasEntries(customerGrant)} OR ${hasEntries(customerOverride)} OR ${hasEntries(customerBalance)}`,
        ),
        emailHasData,
      ],
      hasNoStripeUser: [
        isFreeId(sql`${isAt('id', userId)} OR ${isAt('user_id', userId)}`),
        () => userIdTaken(belongsToStripe),
      ],
      isNoCustomer: [isFreeId(isId(userId)), () => userIdTaken('Is the ID of another customer')],
      isBelowLimit: [
        isBelow(sql`${last} < ${MAX_CUSTOMERS}`),
        () =>
          new Refusal(
            'conflict',
            'customer-limit-reached',
            'The environment has all the customers that can be created by API in it',
          ),
      ],
      isWithinBudget: created === null ? isWithinBudget(db, orgId) : [sql`TRUE`, changedByAnother],
      isBelowRate: [
        isBelow(
          sql`NOT EXISTS (SELECT 1 FROM ${provisionedCustomer} WHERE ${isHere}
            AND serial = ${last} - ${MAX_NEW_CUSTOMERS - 1} AND created_at > ${now - DAY_MS})`,
        ),
        () =>
          new Refusal(
            'rate-limited',
            'too-many-new-customers',
            'Too many new customers today. Try again in an hour.',
            retryAfter(3_600),
          ),
      ],
    },
    unique: {
      'provisioned_customer.email': () => emailTaken('Belongs to another customer'),
      'provisioned_customer.user_id': () => userIdTaken('Belongs to another customer'),
      ...saying?.unique,
    },
    write: [
      insertSelect(
        db,
        provisionedCustomer,
        {
          environmentId,
          identifier,
          orgId,
          name,
          email,
          userId,
          serial: sql`${last} + 1`,
          createdAt: now,
          updatedAt: now,
          createdByKey: actor.key,
        },
        {},
      ).onConflictDoUpdate({
        target: [provisionedCustomer.environmentId, provisionedCustomer.identifier],
        set: { name, email, userId, updatedAt: now },
      }),
      ...(saying?.write ?? []),
      ...(isPublished ? [] : knownCustomerStatements(db, orgId, [details], now)),
    ],
    audit: [
      {
        action: created === null ? 'customer.created' : 'customer.changed',
        targetId: identifier,
        detail: { environmentId, name, email, userId },
      },
      // With the first one it is one call.
      ...(saying?.audit ?? []).map((each) => ({ ...each, detail: { ...each.detail, isPart: 1 } })),
    ],
    publish: isPublished
      ? [customerFactsOf(ctx, scope, details, environmentId, { aliases, atStripe: saying?.names })]
      : [],
  });
  // It may be one with a Stripe customer in another environment.
  if (!isPublished) ctx.waitUntil(renewWordsOf(db, orgId, [identifier]));
}
