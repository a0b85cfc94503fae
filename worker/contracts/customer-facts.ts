/**
 * What the edge knows of one customer besides usage, in one environment: what Stripe says, plans granted by hand and
 * overridden properties (DESIGN section 5). Ledgers and isolates pass it on; objects of other versions of this code may, so fields are only added.
 */
import type { PropertyValue } from './values.ts';

export interface CustomerFacts {
  /** An instant that rises with every change of the customer's; 0: nothing was ever said of the customer. */
  readonly version: number;
  readonly grants: readonly PlanGrant[];
  /** Of two for one property the later holds. */
  readonly overrides: readonly PropertyOverride[];
  /**
   * Set: this identifier is another name of a Stripe customer, whose ledger is the one that counts; what else stands here
   * is that customer's to say. It holds while the snapshot names the integration. Absent in facts of before.
   */
  readonly nameOf?: StripeCustomerName | null;
  /** Of a Stripe customer: who it is, and what it subscribes to in the environment's mode. Absent in facts of before. */
  readonly stripe?: StripeFacts | null;
}

/** A customer of one connected Stripe account. */
export interface StripeCustomerName {
  readonly integrationId: string;
  /** cus_… */
  readonly customerId: string;
}

export interface StripeFacts extends StripeCustomerName {
  /** Lower-case. */
  readonly email: string | null;
  /** The address stands for this customer, and for no other who has it too: what is said of it is said of the customer. */
  readonly isNamedByEmail: boolean;
  /** As activeProducts reads them. */
  readonly subscriptions: readonly SubscriptionFacts[];
}

export interface SubscriptionFacts {
  /** sub_… */
  readonly id: string;
  readonly integrationId: string;
  /** Stripe's word for it. */
  readonly status: string;
  readonly livemode: boolean;
  readonly productIds: readonly string[];
}

export interface PlanGrant {
  readonly planId: string;
  /** Epoch milliseconds: from then on it says nothing; null: it does not end. */
  readonly until: number | null;
  /** Set: it was said of the Stripe customer's e-mail address, and holds as long as that is the customer's name. */
  readonly isOfEmail?: true;
}

export interface PropertyOverride {
  readonly propertyId: string;
  readonly value: PropertyValue;
  /** As of a grant. */
  readonly until: number | null;
  readonly isOfEmail?: true;
}

export const NO_FACTS: CustomerFacts = { version: 0, grants: [], overrides: [] };

/** Of whom nothing is known but that there is something to know. */
export const UNHEARD_FACTS: CustomerFacts = { ...NO_FACTS, version: -1 };

/** What a caller goes by when it asks a ledger. */
export interface FactsInUse {
  /**
   * 0 as well where the caller only supposes that there is nothing: where that is so it hears no news. -1: it supposes
   * nothing, and wants to hear in any case.
   */
  readonly version: number;
  /** What the database says, for a ledger that did not know: with the token that the ledger gave. */
  readonly learnt?: { readonly token: string; readonly facts: CustomerFacts } | undefined;
}

/** A ledger's word on the facts that its caller goes by, where these are not what it knows. */
export type FactsNews =
  | { readonly kind: 'newer'; readonly facts: CustomerFacts }
  /** It knows nothing of the customer: to be loaded from the database, and told with the token. */
  | { readonly kind: 'unknown'; readonly token: string };

export function isEmptyFacts({ grants, overrides, nameOf, stripe }: CustomerFacts): boolean {
  return grants.length === 0 && overrides.length === 0 && !nameOf && !stripe;
}
