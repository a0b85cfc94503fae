/** What wrangler.toml binds, the object classes (durable-objects/stubs.ts) and the settings (worker/settings.ts) apart. */
import type { QueueMessage } from './messages.ts';

export interface Bindings {
  /** Organisations, members, workspace, artifacts' metadata, outbox, audit log. */
  readonly DB: D1Database;
  /** Artifact content, by hash. */
  readonly ARTIFACTS: R2Bucket;
  /** Events past their retention: gzipped NDJSON under events/<orgId>/<day>/. Undelivered ones: dead-letters/<orgId>/. */
  readonly EVENT_ARCHIVE: R2Bucket;
  readonly PUBLISH_QUEUE: Queue<QueueMessage>;
  readonly EVENTS_QUEUE: Queue<QueueMessage>;
  /** Fresh webhook events. */
  readonly STRIPE_QUEUE: Queue<QueueMessage>;
  /** Events that were missed or held back. */
  readonly STRIPE_CATCH_UP_QUEUE: Queue<QueueMessage>;
  /** Events of Tessera's own Stripe account. */
  readonly BILLING_QUEUE: Queue<QueueMessage>;
  /** Sync jobs, page by page. */
  readonly SYNC_QUEUE: Queue<QueueMessage>;
  /** Who called, for the list of customers. */
  readonly SIGHTINGS_QUEUE: Queue<QueueMessage>;
  /** The parts of the schedule, one an invocation. */
  readonly SCHEDULE_QUEUE: Queue<QueueMessage>;
  /** Customer facts that were not pushed at once: one message per invocation, because each may call many ledgers. */
  readonly FACTS_QUEUE: Queue<QueueMessage>;
  /** Webhooks with events to be sent. */
  readonly WEBHOOK_QUEUE: Queue<QueueMessage>;
  /** Returns from checkouts, by client network. */
  readonly CHECKOUT_RETURN_LIMIT: RateLimit;
  /** Unverified events at the webhooks of integrations, by client network. */
  readonly WEBHOOK_FAILURE_LIMIT: RateLimit;
  /** Calls of the public API, in steps. See worker/domains/access/README.md, "Rate limits". */
  readonly API_RATE_LIMIT: RateLimit;
  /** Runs of workflow code by members, by organisation. */
  readonly TRIAL_RUN_LIMIT: RateLimit;
  readonly EMAIL: SendEmail;
  /** Which deployed version this is. Absent from servers that are not deployed. */
  readonly VERSION?: WorkerVersionMetadata;
  /** Runs customers' workflow code in dynamic workers. Without it, checks are answered without workflows. */
  readonly LOADER?: WorkerLoader;
  /** The console's files. Absent from servers without a console, such as the benchmark's. */
  readonly ASSETS?: Fetcher;
}
