/** What runs of the access pipeline are given, and what they return. */
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { UpdateEvent } from '#contracts/internal/ledger';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import type { CheckContext } from '#contracts/public/check-context';
import type { Location } from '#contracts/public/locations';
import type { Warning } from '#contracts/public/subjects';
import type { Verdict } from '../identity/check-claims.ts';
import type { AccessEnvironment } from './access-environment.ts';
import type { Count, Counted } from './count-usage.ts';
import type { Consistency, Usage } from './ledger-call.ts';
import type { Place } from './place.ts';
import type { ResolvedSubject } from './resolve-subject.ts';

export interface AccessRequest {
  readonly loaded: AccessEnvironment;
  readonly keyType: ApiKeyType;
  readonly userIdentifier?: string | undefined;
  /** The result of verifying the request's userJwt; undefined without one. */
  readonly verdict?: Verdict | undefined;
  /** One of the customer's, such as a member of a team. */
  readonly entityId?: string | undefined;
  /** Slugs; undefined: all features. */
  readonly features?: readonly string[] | undefined;
  /** Undefined: local. */
  readonly consistency?: Consistency | undefined;
  readonly place: Place;
  /** For workflows; undefined: empty. */
  readonly context?: CheckContext | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  /** When the call's budget ends, epoch milliseconds; undefined outside the public API. */
  readonly endsAt?: number | undefined;
  /** Of the random numbers of workflows: the request's id. Undefined: the same numbers for every check. */
  readonly seed?: string | undefined;
  /** The instant that workflows see; undefined: now. A repeated check passes the first one's. */
  readonly workflowNow?: number | undefined;
  /** Read usage also where nothing but its display depends on it: of properties that are on or off. */
  readonly isUsageShown?: boolean | undefined;
  /** Count usage; undefined: read it. */
  readonly count?: CountOptions | undefined;
  /**
   * A customer that the caller has loaded from the database; the ledger is then not queried for facts. It may have a name that
   * calls cannot send.
   */
  readonly known?: KnownCustomer | undefined;
}

export interface KnownCustomer {
  readonly identifier: string;
  readonly customer: string;
  readonly facts: CustomerFacts;
}

export interface CountOptions {
  readonly count: Count;
  /** The request's header Idempotency-Key. */
  readonly idempotencyHeader: string | null;
  /** A counter update is the request itself; `consume` is a part of an access check, and reads all its meters after counting. */
  readonly kind: 'update' | 'consume';
  /** Of a hold that is changed: whom it counts for, and where. */
  readonly at?: HoldSite | undefined;
  /** The event of a counter update, stored by the ledger with the count; the pipeline adds what depends on the subject. */
  readonly event?: { readonly id: string; readonly said: UpdateEventBase };
}

export interface HoldSite {
  /** As the ledger that made it names the customer. */
  readonly customer: string;
  /** On whose account the hold counts, too. */
  readonly entity?: string | undefined;
  readonly location: Location;
}

export type UpdateEventBase = Omit<
  UpdateEvent,
  'subjectIdentifier' | 'secondarySubjectIdentifiers' | 'planSlugs' | 'warnings' | 'isFeatureOff'
>;

export interface AccessResult {
  readonly subject: ResolvedSubject;
  /** Null if no ledger was needed. */
  readonly usage: Pick<Usage, 'readings' | 'location'> | null;
  readonly counted: Counted | null;
  readonly identityWarnings: readonly Warning[];
  /** Of the stages after identify. */
  readonly warnings: readonly Warning[];
  /** Of workflows. */
  readonly executions: readonly WorkflowExecution[];
  /** Milliseconds spent on workflows; absent in environments without any. */
  readonly workflowsMs?: number;
}
