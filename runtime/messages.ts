/**
 * All queue messages. Types are in the past tense: a message reports what happened, and its consumer decides what
 * follows. Messages in the outbox survive a release, so fields are only added.
 *
 * Each comment says what a second delivery does, and, outside the outbox, what happens if a queue loses the message. `npm run docs`
 * copies it into docs/data.md.
 */
import type { EventBatch } from '#contracts/internal/event-batch';
import type { Sightings } from '#contracts/internal/seen-customers';
import type { Location } from '#contracts/public/locations';
import type { ShareLevel, UsageLevel } from '#engine/usage/usage-level';

/**
 * The features, plans or workflows of an organisation changed.
 * Repeated: The head of that revision exists already, so nothing is built.
 */
export interface WorkspaceChanged {
  readonly type: 'workspace.changed';
  readonly outboxId: string;
  readonly orgId: string;
}

/**
 * The environment's snapshot changed: a deploy, a key, the data locations, a block.
 * Repeated: Replicas accept newer generations only.
 */
export interface EnvironmentChanged {
  readonly type: 'environment.changed';
  readonly outboxId: string;
  readonly orgId: string;
  readonly environmentId: string;
}

/**
 * A data location no longer serves the environment: its ledgers replicate their unsent data to the others and are deleted. Or it stays, and
 * its ledgers learn which locations were enabled beside it.
 * Repeated: A retired ledger stays retired, and a message of an earlier run ends.
 */
export interface LocationClosed {
  readonly type: 'location.closed';
  readonly outboxId: string;
  readonly orgId: string;
  readonly environmentId: string;
  readonly location: Location;
  readonly stays?: true;
  /** The first shard that is not retired, or told, yet. */
  readonly fromShard: number;
  /** Differs each time the work starts over from the first shard. Absent from messages of earlier releases. */
  readonly run?: string;
}

/**
 * A customer's manual grants or overrides changed; ledgers need the new facts.
 * Repeated: Facts are read when they are pushed, and a ledger keeps the higher version.
 */
export interface CustomerChanged {
  readonly type: 'customer.changed';
  readonly outboxId: string;
  readonly orgId: string;
  /** Null: all environments. */
  readonly environmentId: string | null;
  /** Canonical identifier. */
  readonly customer: string;
  /** All of them, if several changed. In a later part those that are left, which may share the email. */
  readonly customers?: readonly string[];
  /** As in StripeCustomersChanged. */
  readonly part?: number;
  readonly failed?: readonly string[];
}

/**
 * A webhook has events to be sent. What they are, and when the next attempt is due, are its rows.
 * Repeated: One invocation at a time sends to a webhook, and what was delivered is not due.
 * Lost: The schedule sends it again within a minute.
 */
export interface WebhookDue {
  readonly type: 'webhook.due';
  readonly orgId: string;
  readonly webhookId: string;
}

/**
 * Facts of customers changed in an organisation with a webhook that is told of them.
 * Repeated: What was told is stored, and compared with.
 */
export interface WebhookCustomersChanged {
  readonly type: 'webhook.customers-changed';
  readonly outboxId: string;
  readonly orgId: string;
  /** Null: all environments. */
  readonly environmentId: string | null;
  /** Canonical identifiers, at most 100. */
  readonly customers: readonly string[];
}

/**
 * A webhook is to be told of customers in an organisation where none was: what they may do now is noted, so that the next change is told alone.
 * Repeated: What was told is kept.
 */
export interface WebhookCustomersListed {
  readonly type: 'webhook.customers-listed';
  /** One for each organisation. */
  readonly outboxId: string;
  readonly orgId: string;
  /** When it was to be told. Customers that have changed since are told as new ones. Epoch milliseconds. */
  readonly since: number;
  /** The last customer of the part before; empty: this is the first. */
  readonly after: string;
}

/**
 * A webhook was disabled because its address failed; an owner or admin is to be told.
 * Repeated: A mail that was sent has no outbox row.
 */
export interface WebhookNoticeDue {
  readonly type: 'webhook.notice-due';
  readonly outboxId: string;
  readonly orgId: string;
  readonly userId: string;
  readonly webhookId: string;
  readonly because: 'gone' | 'failing';
  readonly disabledAt: number;
}

/**
 * A balance was given that pays what its customer has used above quota and balances.
 * Repeated: The ledger knows the payment by its key, and the balance that it was paid.
 */
export interface BalanceGiven {
  readonly type: 'balance.given';
  readonly outboxId: string;
  readonly orgId: string;
  readonly balanceId: string;
}

/**
 * One of a customer's entities was deleted; ledgers are to erase what was counted for it.
 * Repeated: What was counted until the deletion is erased already, and nothing later.
 */
export interface EntityDeleted {
  readonly type: 'entity.deleted';
  readonly outboxId: string;
  readonly orgId: string;
  readonly environmentId: string;
  /** The customer and its aliases, canonical. */
  readonly customers: readonly string[];
  readonly entity: string;
  /** What was counted until then is erased, epoch milliseconds. */
  readonly before: number;
}

/**
 * An integration's Stripe event was received by webhook or found by polling; it is to be processed.
 * Repeated: Events that are done are skipped, and a read stores nothing older than what is stored.
 */
export interface StripeEventReceived {
  readonly type: 'stripe.event-received';
  readonly outboxId: string;
  readonly orgId: string;
  readonly integrationId: string;
  readonly event: ReceivedStripeEvent;
  /** Unused; the outbox row counts the attempts. */
  readonly attempts: number;
}

/**
 * An integration's waiting events may be processed: polling found them, a connection error ended, or calls are allowed again.
 * Repeated: Only events that still wait are processed.
 * Lost: The integration's next poll or event plans it again.
 */
export interface StripeEventsReleased {
  readonly type: 'stripe.events-released';
  readonly orgId: string;
  readonly integrationId: string;
}

/**
 * Integrations are due to be asked for missed events. The schedule repeats it until they were asked.
 * Repeated: Integrations that were asked meanwhile are not due.
 * Lost: The next minute sends it again.
 */
export interface StripePollsDue {
  readonly type: 'stripe.polls-due';
  readonly integrationIds: readonly string[];
}

/**
 * Integrations are due for their daily sync. The schedule repeats it until their syncs were started.
 * Repeated: A sync that runs is not started twice.
 * Lost: The next minute sends it again.
 */
export interface StripeSyncsDue {
  readonly type: 'stripe.syncs-due';
  readonly integrationIds: readonly string[];
}

/**
 * A part of the schedule is to run. The next minute repeats it.
 * Repeated: A part is bounded and does only what is due.
 * Lost: The next minute repeats it.
 */
export interface ScheduledWorkDue {
  readonly type: 'schedule.work-due';
  /** The part's name. */
  readonly work: string;
  readonly dueAt: number;
}

/** The stored part of a Stripe event. */
export interface ReceivedStripeEvent {
  /** evt_… */
  readonly id: string;
  readonly type: string;
  /** When Stripe created it, and when it was received: epoch milliseconds. */
  readonly createdAt: number;
  readonly receivedAt: number;
  readonly customerId: string | null;
  readonly productId: string | null;
  /** The described object as shown in the console; contains no secrets. */
  readonly object: Readonly<Record<string, unknown>>;
}

/**
 * Stripe customers changed; ledgers need the new facts.
 * Repeated: As customer.changed; a part that the outbox has passed is dropped.
 */
export interface StripeCustomersChanged {
  readonly type: 'stripe.customers-changed';
  readonly outboxId: string;
  readonly orgId: string;
  /** Canonical identifiers: ids and emails, including previous emails. In a later part, those that are left. */
  readonly customers: readonly string[];
  /** Parts before this one; absent from the first. If the outbox is at another part, the message is a stale duplicate. */
  readonly part?: number;
  /** Identifiers of earlier parts that come again, because ledgers could not be reached. */
  readonly failed?: readonly string[];
}

/**
 * A sync job was started or has stored pages; the next page is to be read.
 * Repeated: A page that is stored already is dropped.
 */
export interface StripeSyncAdvanced {
  readonly type: 'stripe.sync-advanced';
  readonly outboxId: string;
  readonly orgId: string;
  readonly jobId: string;
  /** Pages stored so far. If the job is at another page, the message is a stale duplicate. */
  readonly page: number;
  /** Attempts at this page in which Stripe could not be reached. */
  readonly attempts: number;
}

/**
 * An integration was deleted; its webhook endpoint in Stripe and its data are to be deleted.
 * Repeated: It deletes what is left.
 */
export interface StripeIntegrationDeleted {
  readonly type: 'stripe.integration-deleted';
  readonly outboxId: string;
  readonly orgId: string;
  readonly integrationId: string;
}

/**
 * An integration's metadata key for user ids was set, changed or removed; stored customers get their user ids by it.
 * Repeated: A step that the outbox has passed, or that belongs to an earlier change, is dropped.
 */
export interface StripeUserIdsChanged {
  readonly type: 'stripe.user-ids-changed';
  readonly outboxId: string;
  readonly orgId: string;
  readonly integrationId: string;
  /** Differs for each change of the key. */
  readonly changeId: string;
  /** The last customer of the step before; empty at first. */
  readonly after: string;
  /** All customers have their user id, and ledgers are told of those that have one. */
  readonly isInEffect: boolean;
}

/**
 * Tessera's own Stripe account sent an event about an organisation's subscription; it is to be processed.
 * Repeated: The state is read from Stripe, whatever the event says.
 */
export interface StripeBillingEventReceived {
  readonly type: 'stripe.billing-event-received';
  readonly outboxId: string;
  /** Empty: the event does not name it. */
  readonly orgId: string;
  /** evt_… */
  readonly eventId: string;
  /** A checkout session (cs_…) or a subscription (sub_…). */
  readonly objectId: string;
}

/**
 * An organisation's plan changed; retention, block and allowance are to be applied.
 * Repeated: The plan is read when it is applied.
 */
export interface BillingPlanChanged {
  readonly type: 'billing.plan-changed';
  readonly outboxId: string;
  readonly orgId: string;
}

/**
 * A member is to get a mail about the monthly allowance.
 * Repeated: Without its outbox row nothing is sent. A crash between sending and deleting the row sends a second mail.
 */
export interface UsageNoticeDue {
  readonly type: 'usage.notice-due';
  readonly outboxId: string;
  readonly orgId: string;
  readonly userId: string;
  readonly level: UsageLevel;
  readonly monthAt: number;
}

/**
 * An owner or admin is to get a mail about the organisation's own subscription.
 * Repeated: As usage.notice-due. A state that has passed is not mailed about.
 */
export interface BillingNoticeDue {
  readonly type: 'billing.notice-due';
  readonly outboxId: string;
  readonly orgId: string;
  readonly userId: string;
  /** The state and its instant. */
  readonly notice: string;
}

/** What happened to an organisation's deletion. */
export interface DeletionNotice {
  readonly notice: 'deletion-scheduled' | 'deletion-cancelled' | 'deleted';
  readonly organisationName: string;
  /** Name and email of who did it. */
  readonly by: string;
  /** When the deletion starts; 0 where it does not matter. */
  readonly dueAt: number;
}

/**
 * An owner is to get a mail about the organisation's deletion. Complete in itself, because the organisation may be gone.
 * Repeated: As usage.notice-due.
 */
export interface DeletionNoticeDue extends DeletionNotice {
  readonly type: 'organisation.deletion-notice-due';
  readonly outboxId: string;
  readonly orgId: string;
  readonly to: { readonly email: string; readonly name: string };
}

/**
 * A month's API calls passed a level. The event stream repeats it until it is acknowledged.
 * Repeated: A level is settled once a month, and a past month has no consequences.
 * Lost: The event stream sends it again until it is acknowledged.
 */
export interface UsageLevelPassed {
  readonly type: 'usage.level-passed';
  readonly orgId: string;
  /** Start of the month, UTC. */
  readonly monthAt: number;
  readonly level: UsageLevel | ShareLevel;
  /** The month's API calls at that time. */
  readonly total: number;
}

/**
 * Too many of a workflow's runs were killed. The event stream repeats it with further kills until it is acknowledged.
 * Repeated: A workflow that is off stays off, and the stream is asked whether it still has that share of kills.
 * Lost: The next kill sends it again.
 */
export interface WorkflowKilledRepeatedly {
  readonly type: 'workflow.killed-repeatedly';
  readonly orgId: string;
  readonly environmentId: string;
  readonly workflowId: string;
  /** Since the first of the kills; absent in messages of the previous release. */
  readonly runs?: number;
  readonly kills: number;
  /** Why the last run was killed. */
  readonly reason: string;
}

/**
 * An owner or admin is to get a mail: a workflow was disabled in an environment.
 * Repeated: As usage.notice-due.
 */
export interface SwitchOffNoticeDue {
  readonly type: 'workflow.switch-off-notice-due';
  readonly outboxId: string;
  readonly orgId: string;
  readonly userId: string;
  readonly environmentId: string;
  readonly workflowId: string;
  /** The workflow may be deleted before the mail is sent. */
  readonly workflowName: string;
  readonly disabledAt: number;
  readonly reason: string;
}

/**
 * Customers called. The list of customers is to show when, and their meters near a limit.
 * Repeated: A sighting that is not newer is not stored.
 * Lost: "Last seen" is that of the previous report, until the customer calls again.
 */
export interface CustomersSeen extends Sightings {
  readonly type: 'customers.seen';
  readonly orgId: string;
  /** A sighting is stored if the stored one is older by this much: the more customers call, the rarer each is written. */
  readonly resolutionMs: number;
}

/**
 * A token was signed with a key that is in none of the organisation's key sets. Those that have an address are to be fetched again.
 * Repeated: An address that was called within the last minute is left out.
 * Lost: The next such token sends it again, and every address is called every ten minutes.
 */
export interface JwtKeyUnknown {
  readonly type: 'jwt.key-unknown';
  readonly integrationIds: readonly string[];
}

/**
 * Events that could not be appended to their stream directly.
 * Repeated: The stream stores a group of events once, by its id.
 * Lost: Its access checks are lost. Counter updates come from their ledger, payment events from the outbox.
 */
export interface EventsRecorded {
  readonly type: 'events.recorded';
  readonly batch: EventBatch;
}

export type OutboxMessage =
  | WorkspaceChanged
  | EnvironmentChanged
  | LocationClosed
  | CustomerChanged
  | BalanceGiven
  | EntityDeleted
  | StripeEventReceived
  | StripeCustomersChanged
  | StripeSyncAdvanced
  | StripeIntegrationDeleted
  | StripeUserIdsChanged
  | StripeBillingEventReceived
  | BillingPlanChanged
  | UsageNoticeDue
  | BillingNoticeDue
  | SwitchOffNoticeDue
  | DeletionNoticeDue
  | WebhookCustomersChanged
  | WebhookCustomersListed
  | WebhookNoticeDue;
export type QueueMessage =
  | OutboxMessage
  | StripeEventsReleased
  | StripePollsDue
  | StripeSyncsDue
  | ScheduledWorkDue
  | EventsRecorded
  | UsageLevelPassed
  | WorkflowKilledRepeatedly
  | JwtKeyUnknown
  | CustomersSeen
  | WebhookDue;
export type MessageType = QueueMessage['type'];
