/** Every message that travels through a queue. Past tense: what has happened; the consumer decides what follows. */
import type { EventBatch } from '#contracts/event-batch';
import type { Location } from '#contracts/locations';

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

/** Events that could not be appended at once. */
export interface EventsRecorded {
  readonly type: 'events.recorded';
  readonly batch: EventBatch;
}

export type OutboxMessage = WorkspaceChanged | EnvironmentChanged | LocationClosed | CustomerChanged;
export type QueueMessage = OutboxMessage | EventsRecorded;
export type MessageType = QueueMessage['type'];
