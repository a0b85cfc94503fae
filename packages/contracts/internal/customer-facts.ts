/**
 * Everything the edge needs to know about a customer in one environment, apart from usage: Stripe subscriptions, granted
 * plans and property overrides. Ledger objects store these facts and isolates cache them. Objects that run another release
 * of this code read them too, so fields are only added; `upgradeFacts` reads the names of earlier releases.
 */
import type { PropertyValue } from '../public/values.ts';

export interface CustomerFacts {
  /** An instant in epoch milliseconds that rises with every change. 0: nothing is recorded for the customer. */
  readonly version: number;
  readonly grants: readonly PlanGrant[];
  /** If two overrides set one property, the later entry wins. */
  readonly overrides: readonly PropertyOverride[];
  /** Absent without any. At most 200: those that end last. */
  readonly balances?: readonly BalanceFacts[];
  /**
   * Those of the customer's entities, each with its `entity`. Absent without any. Apart from the customer's, which earlier releases would
   * take them for.
   */
  readonly entityBalances?: readonly BalanceFacts[];
  /**
   * Set: the identifier is an alias of another customer. Usage is counted in that customer's ledger, and the other fields
   * here do not apply. Valid while the environment's snapshot lists the integration, or without one (engine/entitlements/active-facts.ts).
   */
  readonly aliasOf?: StripeCustomerRef | null;
  /** Set: the identifier is a Stripe customer. */
  readonly stripe?: StripeFacts | null;
  /** Set: the customer was created by API with this email or a user id, an alias of it that no Stripe customer takes over. Absent in older facts. */
  readonly provisioned?: ProvisionedRef;
  /**
   * Further Stripe customers: those with the same id in other accounts, and those with the email, which is the identifier or an
   * alias of it. Subscriptions of customers with another id count for checks by the email only.
   */
  readonly namesakes?: readonly Namesake[];
  /** Own user ids of the application that are aliases of the customer. Absent in older facts. */
  readonly userIds?: readonly UserIdRef[];
  /** A connected account has a customer with this id or email, but only in test mode, which does not count in a live environment. */
  readonly isInOtherMode?: true;
}

export interface UserIdRef {
  readonly id: string;
  /** Whose metadata says so; empty for a customer that was created by API. */
  readonly integrationId: string;
}

export interface ProvisionedRef {
  /** Canonical, as the email. */
  readonly id: string;
  /** Null: it has a user id only. */
  readonly email: string | null;
  /** The id is an email itself: checks by it have the plans of the Stripe customers with that email. Absent in older facts. */
  readonly isEmail?: true;
}

/** Another Stripe customer with the same email or id. */
export interface Namesake extends StripeCustomerRef {
  readonly subscriptions: readonly SubscriptionFacts[];
  /** As in StripeFacts. */
  readonly ended?: readonly EndedSubscription[];
  /** The email has older data of its own, so it is no alias of this customer until a person confirms it. */
  readonly isSeparate?: true;
  /** It carries this user id, and counts for checks by the user id only. */
  readonly userId?: string;
  /** The customer has several emails: it shares this one, and counts for checks by this one only. */
  readonly email?: string;
  /** With the same id: its own email is an alias of the customer, too. */
  readonly aliasEmail?: string;
}

/** A customer of one connected Stripe account. */
export interface StripeCustomerRef {
  readonly integrationId: string;
  /** cus_… */
  readonly customerId: string;
}

export interface StripeFacts extends StripeCustomerRef {
  /** Canonical. */
  readonly email: string | null;
  /** The email address is an alias of this customer, and not of another customer with the same address. */
  readonly isNamedByEmail: boolean;
  /** Those of the environment's mode. */
  readonly subscriptions: readonly SubscriptionFacts[];
  /** At most 20. Absent without any, and in older facts. */
  readonly ended?: readonly EndedSubscription[];
  /** For workflows; absent in older facts. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** When Stripe created the customer, epoch milliseconds. Absent in older facts. */
  readonly createdAt?: number;
}

/** What is kept of a subscription that gave access, for 13 months. */
export interface EndedSubscription extends Pick<SubscriptionFacts, 'id' | 'anchorAt' | 'itemsChangedAt'> {
  /** When Tessera first saw it ended, epoch milliseconds. */
  readonly endedAt: number;
}

export interface SubscriptionFacts {
  /** sub_… */
  readonly id: string;
  readonly integrationId: string;
  /** Stripe's subscription status, unchanged. */
  readonly status: string;
  readonly livemode: boolean;
  /** Of all items; read by the previous release. */
  readonly productIds: readonly string[];
  /** Absent in older facts: then the products are all that is known. */
  readonly items?: readonly SubscriptionItemFacts[];
  /** Set while Stripe collects no payments, which leaves the status as it is. Absent in older facts. */
  readonly pauseCollection?: PausedCollection | null;
  /** For workflows, epoch milliseconds; null if there is none. Absent in older facts. */
  readonly currentPeriodEndAt?: number | null;
  readonly cancelAt?: number | null;
  readonly trialEndAt?: number | null;
  /** Since when it is past due, as far as Tessera saw it. Only while it is; absent in older facts. */
  readonly pastDueAt?: number;
  /**
   * From when Stripe counts its billing periods (`billing_cycle_anchor`), epoch milliseconds: billing windows of the plans that it gives
   * begin then. Absent if unknown.
   */
  readonly anchorAt?: number;
  /** When its items changed while the anchor stayed, as far as Tessera saw it; epoch milliseconds. Absent: they did not. */
  readonly itemsChangedAt?: number;
  /** What its items were before such changes, in order; at most 20. Absent: they did not change, or before 1.3.0. */
  readonly formerItems?: readonly FormerItems[];
  /** When its trial began, epoch milliseconds. Only during a trial; absent if unknown. */
  readonly trialStartAt?: number;
  /** A trial of a customer without a payment method, which Stripe would charge. Absent in older facts. */
  readonly lacksPaymentMethod?: true;
}

export interface SubscriptionItemFacts {
  readonly productId: string;
  readonly priceId: string;
  /** Null: the price is metered and has none. */
  readonly quantity: number | null;
  /** The paid period, epoch milliseconds; null if unknown. */
  readonly periodStartAt: number | null;
  readonly periodEndAt: number | null;
}

export interface FormerItems {
  /** When they changed, epoch milliseconds. */
  readonly until: number;
  readonly items: readonly Pick<SubscriptionItemFacts, 'productId' | 'priceId' | 'quantity'>[];
}

export interface PausedCollection {
  /** What becomes of invoices meanwhile, as Stripe calls it. */
  readonly behavior: string;
  /** Epoch milliseconds; null: until somebody resumes it. */
  readonly resumesAt: number | null;
}

export interface PlanGrant {
  readonly planId: string;
  /** Epoch milliseconds of the end; null: no end. */
  readonly until: number | null;
  /** The grant was made to an alias of the Stripe customer, its email or user id. It applies while that is an alias. */
  readonly isFromEmail?: true;
  /** When billing windows of the plan begin, epoch milliseconds. Absent if unknown. */
  readonly anchorAt?: number;
}

export interface PropertyOverride {
  readonly propertyId: string;
  readonly value: PropertyValue;
  /** Epoch milliseconds of the end; null: no end. */
  readonly until: number | null;
  /** As in PlanGrant. */
  readonly isFromEmail?: true;
}

/** An amount of a metered property beside the plans' quota. What was drawn from it is counted in the customer's ledger. */
export interface BalanceFacts {
  /** bal_…, Tessera's own. */
  readonly id: string;
  /** What answers call it: the application's own id. Absent: `id`. */
  readonly name?: string;
  readonly propertyId: string;
  /** A safe integer of at least 0: without what was taken back. */
  readonly amount: number;
  readonly category: BalanceCategory;
  /** Epoch milliseconds. It can be drawn from since then, until its end. */
  readonly startsAt: number;
  /** Null: no end. */
  readonly endsAt: number | null;
  /** 0 is drawn from first, 100 last. The plans' quota has QUOTA_PRIORITY. */
  readonly priority: number;
  /** Nothing is drawn from it for now, as while a payment is disputed. */
  readonly isFrozen?: true;
  /** It counts only while a plan that not everyone has sets the property. */
  readonly needsPlan?: true;
  /** Only calls that name this entity draw from it. Its id begins with `ENTITY_GRANT`. Absent: the customer's. */
  readonly entity?: string;
  /** As in PlanGrant. */
  readonly isFromEmail?: true;
}

export type BalanceCategory = 'paid' | 'promotional' | 'plan';

/** The facts that the caller of a ledger used. */
export interface CallerFacts {
  /**
   * 0: the caller assumes that there are no facts, and needs no update if that is right. -1: the caller assumes nothing
   * and needs an update in any case.
   */
  readonly version: number;
  /** Facts loaded from the database, with the token of the ledger that did not know them. */
  readonly loaded?: LoadedFacts | undefined;
}

export interface LoadedFacts {
  readonly token: string;
  readonly facts: CustomerFacts;
}

/** What a ledger answers when the caller's facts differ from its own. */
export type FactsUpdate =
  | { readonly kind: 'newer'; readonly facts: CustomerFacts }
  /** The ledger has no facts. The caller loads them from the database and sends them with the token. */
  | { readonly kind: 'unknown'; readonly token: string };

/** Field names of earlier releases. Ledgers may still store or send them, so these names never change. */
interface FormerFacts {
  readonly nameOf?: StripeCustomerRef | null;
}

interface FormerEntry {
  readonly isOfEmail?: true;
}

interface FormerCallerFacts {
  readonly learnt?: LoadedFacts | undefined;
}

/** Reads facts that another release of this code stored or sent. */
export function upgradeFacts({ nameOf, ...facts }: CustomerFacts & FormerFacts): CustomerFacts {
  const { aliasOf = nameOf } = facts;
  return {
    ...facts,
    grants: facts.grants.map(upgradeEntry),
    overrides: facts.overrides.map(upgradeEntry),
    ...(aliasOf === undefined ? {} : { aliasOf }),
  };
}

function upgradeEntry<Entry extends PlanGrant | PropertyOverride>({
  isOfEmail,
  ...entry
}: Entry & FormerEntry): Omit<Entry, keyof FormerEntry> {
  return isOfEmail === undefined ? entry : { ...entry, isFromEmail: true };
}

/** The facts that a caller of this or an earlier release sends; undefined if it sends none. */
export function loadedFactsOf(caller: CallerFacts & FormerCallerFacts): LoadedFacts | undefined {
  const loaded = caller.loaded ?? caller.learnt;
  return loaded === undefined ? undefined : { token: loaded.token, facts: upgradeFacts(loaded.facts) };
}
