// The code editor loads this file's text, so its comments are written for developers of workflows.

/** What a workflow receives. It is frozen. */
interface WorkflowInput {
  readonly identity: WorkflowIdentity;
  readonly customer: WorkflowCustomer;
  readonly place: WorkflowPlace;
  /** What your application sent as `context` with the check: at most 20 values. Empty if it sent none. */
  readonly context: Readonly<Record<string, string | number | boolean>>;
  /** The instant of the check, in milliseconds since 1970. `Date.now()` returns the same. */
  readonly now: number;
  /** From 0 up to 1. The numbers of a run are the same when it is repeated; `Math.random()` continues the same series. */
  random(): number;
}

/** The identity that the check names. */
interface WorkflowIdentity {
  readonly isAuthenticated: boolean;
  readonly method: 'anonymous' | 'identifier' | 'jwt';
  /** As your application sent it, or as the token says. Null for anonymous sessions. */
  readonly identifier: string | null;
}

/** A subscription of the customer, as Stripe describes it. */
interface WorkflowSubscription {
  readonly id: string;
  /** Stripe's status: 'active', 'trialing', 'past_due', 'canceled' … */
  readonly status: string;
  readonly productIds: readonly string[];
  readonly items: readonly WorkflowSubscriptionItem[];
  /** Set while Stripe collects no payments, which leaves the status as it is. */
  readonly pauseCollection: { readonly behavior: string; readonly resumesAt: number | null } | null;
  /** Milliseconds since 1970, like every instant here. */
  readonly currentPeriodEndAt: number | null;
  readonly cancelAt: number | null;
  readonly trialEndAt: number | null;
}

/** A product that the subscription contains, with its price and quantity. */
interface WorkflowSubscriptionItem {
  readonly productId: string;
  readonly priceId: string | null;
  /** Null for a metered price. */
  readonly quantity: number | null;
}

/** The customer of the check. */
interface WorkflowCustomer {
  /** Whether a connected Stripe account has this customer. */
  readonly isCustomer: boolean;
  readonly id: string | null;
  readonly email: string | null;
  /** Slugs of the plans that apply without workflows. */
  readonly plans: readonly string[];
  readonly productIds: readonly string[];
  /** The Stripe customer's metadata. */
  readonly metadata: Readonly<Record<string, string>>;
  /** When the customer was created in Stripe. */
  readonly createdAt: number | null;
  readonly subscriptions: readonly WorkflowSubscription[];
}

/** Where the call comes from. */
interface WorkflowPlace {
  /** Two letters: 'DE'. */
  readonly country: string | null;
  readonly city: string | null;
  /** 'AF', 'AN', 'AS', 'EU', 'NA', 'OC' or 'SA'. */
  readonly continent: string | null;
  /** The data location that answers: 'weur'. */
  readonly location: string | null;
}

/** The reading of a meter. A limit of null means unlimited. */
interface WorkflowMeter {
  readonly used: number;
  /** What open holds have taken beside it. Absent without any. */
  readonly held?: number | undefined;
  readonly limit: number | null;
  readonly remaining: number | null;
}
