/** The resolve stage: a subject's plans and values, from its identity and customer facts. Pure apart from memoisation. */
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { SubscriptionRules } from '../entitlements/active-products.ts';
import { anchorWindows } from '../entitlements/anchor-windows.ts';
import { type AppliedFacts, applyFacts } from '../entitlements/apply-facts.ts';
import { factsForEntity } from '../entitlements/facts-for-entity.ts';
import { factsForIdentifier } from '../entitlements/namesakes.ts';
import { isEmptyFacts } from '../entitlements/no-facts.ts';
import { nextAnchorAt } from '../entitlements/plan-anchors.ts';
import { type ProvisionedPlans, plansOf, type Subject } from '../entitlements/plans-of.ts';
import type { PreparedArtifact } from '../entitlements/prepared-artifact.ts';
import { withProportionalLimits } from '../entitlements/proportional-limits.ts';
import type { Resolution } from '../entitlements/resolution.ts';
import { resolve } from '../entitlements/resolve.ts';
import { entityReadsOf, NO_READS, type UsageReads, usageReadsOf } from '../entitlements/usage-reads.ts';
import type { AccessEnvironment } from './access-environment.ts';
import type { Identity } from './identify-subject.ts';

const NONE: readonly never[] = [];

export interface ResolvedSubject<Customer extends string | null = string | null> extends UsageReads {
  readonly identity: Identity;
  /** The features of the request; undefined: all. */
  readonly only: ReadonlySet<string> | undefined;
  /** The customer that usage counts for: the identifier, or the Stripe customer that it is an alias of. Null if anonymous. */
  readonly customer: Customer;
  /** The active facts of the customer. */
  readonly facts: CustomerFacts;
  /** When the facts first change by the clock alone; infinity if they do not. */
  readonly factsUntil: number;
  /** Overrides that do not fit their property in the deployed version. */
  readonly refused: AppliedFacts['refused'];
  /** Null if nothing is deployed. */
  readonly resolution: Resolution | null;
  /** Plans from workflows. */
  readonly provisioned: readonly ProvisionedPlans[];
  /** One of the customer's, if the request names one and a plan limits each. */
  readonly entity: string | undefined;
}

/** Whose facts are used: the customer that usage counts for, null for an anonymous subject. */
export interface KnownFacts<Customer extends string | null = string | null> {
  readonly customer: Customer;
  readonly facts: CustomerFacts;
}

/** The environment that is asked, and when. */
interface Resolving {
  readonly loaded: Pick<AccessEnvironment, 'prepared' | 'snapshot' | 'appliedFacts'>;
  readonly now: number;
  readonly entityId?: string | undefined;
}

export function resolveSubject<Customer extends string | null>(
  { loaded, now, entityId }: Resolving,
  identity: Identity,
  only: ReadonlySet<string> | undefined,
  { customer, facts }: KnownFacts<Customer>,
  provisioned: readonly ProvisionedPlans[] = NONE,
): ResolvedSubject<Customer> {
  const { prepared } = loaded;
  if (prepared === null) {
    return {
      identity,
      only,
      customer,
      facts,
      factsUntil: Infinity,
      refused: NONE,
      resolution: null,
      provisioned,
      entity: undefined,
      ...NO_READS,
    };
  }
  const theirs = factsForEntity(factsForIdentifier(facts, identity.identifier), entityId);
  const { resolution, until, refused } =
    provisioned.length === 0
      ? applyCached(prepared, loaded, identity, theirs, now)
      : applyProvisioned(
          prepared,
          { isAuthenticated: identity.isAuthenticated, provisioned },
          theirs,
          loaded.snapshot,
          now,
        );
  // Anonymous subjects have no usage.
  const entity = customer === null || prepared.perEntity.length === 0 ? undefined : entityId;
  const readsOf = entity === undefined ? usageReadsOf : entityReadsOf;
  const { reads, isMetered } = customer === null ? NO_READS : readsOf(resolution, only);
  return {
    identity,
    only,
    customer,
    facts,
    factsUntil: until,
    refused,
    resolution,
    provisioned,
    entity,
    reads,
    isMetered,
  };
}

/** Cached facts are applied once, and again after a grant or override has ended. */
function applyCached(
  prepared: PreparedArtifact,
  { appliedFacts, snapshot }: Resolving['loaded'],
  identity: Identity,
  facts: CustomerFacts,
  now: number,
): Omit<AppliedFacts, 'planSet'> {
  if (!identity.isAuthenticated || isEmptyFacts(facts)) {
    return { resolution: resolve(prepared, plansOf(prepared, identity)), until: Infinity, refused: NONE };
  }
  const known = appliedFacts.get(prepared, facts, now);
  if (known !== undefined) return known;
  const applied = applyAnchored(prepared, identity, facts, snapshot, now);
  appliedFacts.set(facts, applied);
  return applied;
}

function applyProvisioned(
  prepared: PreparedArtifact,
  subject: Pick<Subject, 'isAuthenticated' | 'provisioned'>,
  facts: CustomerFacts,
  rules: SubscriptionRules,
  now: number,
): Omit<AppliedFacts, 'planSet'> {
  if (subject.isAuthenticated) return applyAnchored(prepared, subject, facts, rules, now);
  return { resolution: resolve(prepared, plansOf(prepared, subject)), until: Infinity, refused: NONE };
}

/** With the customer's own billing windows, in which its usage is read and limited, and what their limits are. */
function applyAnchored(...given: Parameters<typeof applyFacts>): AppliedFacts {
  const [, , facts, rules, now] = given;
  const applied = applyFacts(...given);
  const resolution = anchorWindows(applied.resolution, facts, rules, now);
  if (resolution === applied.resolution) return applied;
  const until = Math.min(applied.until, nextAnchorAt(facts, now));
  return withProportionalLimits({ ...applied, resolution, until }, given);
}

/** Whether the readings for one subject answer the other as well. */
export function hasSameReads(one: ResolvedSubject, other: ResolvedSubject): boolean {
  return one.reads === other.reads || JSON.stringify(one.reads) === JSON.stringify(other.reads);
}

/** Known to a connected Stripe account, by id or by email address. The email of a customer created by API is an alias, too. */
export function isStripeCustomer({
  identity,
  customer,
  facts,
}: Pick<ResolvedSubject, 'identity' | 'customer' | 'facts'>): boolean {
  const { stripe, namesakes } = factsForIdentifier(facts, identity.identifier);
  if (stripe || namesakes?.length) return true;
  return customer !== identity.identifier && facts.provisioned === undefined;
}
