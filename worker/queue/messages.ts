/** Every message that travels through a queue. Past tense: what has happened; the consumer decides what follows. */
import type { EventBatch } from '#contracts/event-batch';
import type { Location } from '#contracts/locations';
import type { UsageLevel } from '#engine/usage/usage-standing';

export interface WorkspaceChanged {
  readonly type: 'workspace.changed';
  readonly outboxId: string;
  readonly orgId: string;
}

/** Something that the replicas of this environment must know: a deploy, a key, the locations, a block. */
export interface EnvironmentChanged {
  readonly type: 'environment.changed';
  readonly outboxId: string;
  readonly orgId: string;
  readonly environmentId: string;
}

/** A data location no longer serves this environment: its ledgers hand over what they alone know, then go. */
export interface LocationClosed {
  readonly type: 'location.closed';
  readonly outboxId: string;
  readonly orgId: string;
  readonly environmentId: string;
  readonly location: Location;
  /** Those before it are done. */
  readonly fromShard: number;
}

/** What was granted to a customer by hand, or overridden, is no longer what their ledgers were told. */
export interface CustomerChanged {
  readonly type: 'customer.changed';
  readonly outboxId: string;
  readonly orgId: string;
  /** Null: in all of them. */
  readonly environmentId: string | null;
  /** Canonical identifier. */
  readonly customer: string;
}

/** Stripe sent an event of an integration, or it was found not to have been sent; it is yet to be worked on. */
export interface StripeEventReceived {
  readonly type: 'stripe.event-received';
  readonly outboxId: string;
  readonly orgId: string;
  readonly integrationId: string;
  readonly event: ReceivedStripeEvent;
  /** Tries so far in which Stripe could not be asked. */
  readonly attempts: number;
}

/** What of Stripe's event is needed after it was received. */
export interface ReceivedStripeEvent {
  /** evt_… */
  readonly id: string;
  readonly type: string;
  /** When Stripe made it, and when it came: epoch milliseconds. */
  readonly createdAt: number;
  readonly receivedAt: number;
  readonly customerId: string | null;
  readonly productId: string | null;
  /** What it is about, as far as it is shown to people: never a secret. */
  readonly object: Readonly<Record<string, unknown>>;
}

/** Of these customers, ledgers may know something that holds no more. */
export interface StripeCustomersChanged {
  readonly type: 'stripe.customers-changed';
  readonly outboxId: string;
  readonly orgId: string;
  /** Canonical identifiers: ids and e-mail addresses, also those of before. */
  readonly customers: readonly string[];
}

/** A sync job was started, or some of its pages were applied: the next page is to be read. */
export interface StripeSyncAdvanced {
  readonly type: 'stripe.sync-advanced';
  readonly outboxId: string;
  readonly orgId: string;
  readonly jobId: string;
  /** Pages applied so far: where the job is at another page the message is a late copy. */
  readonly page: number;
  /** Tries of this page so far in which Stripe could not be asked. */
  readonly attempts: number;
}

/** An integration was deleted: its webhook at Stripe is to go, and then everything that was read through it. */
export interface StripeIntegrationDeleted {
  readonly type: 'stripe.integration-deleted';
  readonly outboxId: string;
  readonly orgId: string;
  readonly integrationId: string;
}

/** Tessera's own Stripe account sent an event about an organisation's subscription; it is yet to be worked on. */
export interface StripeBillingEventReceived {
  readonly type: 'stripe.billing-event-received';
  readonly outboxId: string;
  /** Empty: the event does not say it. */
  readonly orgId: string;
  /** evt_… */
  readonly eventId: string;
  /** What it is about: a checkout session (cs_…) or a subscription (sub_…). */
  readonly objectId: string;
}

/** An organisation's plan is another one: what follows from it is yet to be done. */
export interface BillingPlanChanged {
  readonly type: 'billing.plan-changed';
  readonly outboxId: string;
  readonly orgId: string;
}

/** Somebody is to be told by e-mail how the monthly allowance stands. */
export interface UsageNoticeDue {
  readonly type: 'usage.notice-due';
  readonly outboxId: string;
  readonly orgId: string;
  readonly userId: string;
  readonly level: UsageLevel;
  readonly monthAt: number;
}

/** A month's API calls have passed a level: the event stream says so until that is acknowledged. */
export interface UsageLevelPassed {
  readonly type: 'usage.level-passed';
  readonly orgId: string;
  /** Start of the month, UTC. */
  readonly monthAt: number;
  readonly level: UsageLevel;
  /** API calls of the month at that moment. */
  readonly total: number;
}

/** Events that could not be appended at once. */
export interface EventsRecorded {
  readonly type: 'events.recorded';
  readonly batch: EventBatch;
}

export type OutboxMessage =
  | WorkspaceChanged
  | EnvironmentChanged
  | LocationClosed
  | CustomerChanged
  | StripeEventReceived
  | StripeCustomersChanged
  | StripeSyncAdvanced
  | StripeIntegrationDeleted
  | StripeBillingEventReceived
  | BillingPlanChanged
  | UsageNoticeDue;
export type QueueMessage = OutboxMessage | EventsRecorded | UsageLevelPassed;
export type MessageType = QueueMessage['type'];
