/**
 * An artifact's content: the frozen features, plans and workflows that access checks evaluate. Every list is sorted by id,
 * so equal workspaces have equal content and an equal hash.
 */
import type { ConflictResolution, NumberBounds, PropertyType, PropertyValue } from '#contracts/public/values';

export interface ArtifactContent {
  /** Incremented when older readers cannot read new content. */
  readonly formatVersion: 1;
  readonly features: readonly ArtifactFeature[];
  readonly plans: readonly ArtifactPlan[];
  /** Only enabled workflows with compiled code. */
  readonly workflows: readonly ArtifactWorkflow[];
  /** How limits of different periods compare. Absent in workspaces whose plans were last edited before there was a choice: `limit`. */
  readonly limitOrder?: 'rate';
  /** A feature that is off turns its meters off. Absent in versions of earlier releases, whose meters are independent of it. */
  readonly switchesMeters?: true;
  /** An IANA name: whose calendar `rolling` windows follow. Absent: UTC. */
  readonly zone?: string;
}

/** `rate`: by limit ÷ period, so that 1,000 an hour are more than 5,000 a month. `limit`: the larger number is more. */
export type LimitOrder = 'limit' | 'rate';

export interface ArtifactFeature {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly properties: readonly ArtifactProperty[];
}

export interface ArtifactProperty {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly description: string | null;
  readonly type: PropertyType;
  /** The default, used when no plan of the subject sets the property. */
  readonly value: PropertyValue;
  /** Set for number properties only. Null means no bounds. */
  readonly bounds: NumberBounds | null;
  readonly conflictResolution: ConflictResolution;
  readonly isSystem: boolean;
  /** What each one of a meter counts on another meter. Absent: nothing. */
  readonly costs?: ArtifactCost;
  /** A balance of a meter opens the feature to a customer whose plans do not. Absent: it does not. Earlier releases ignore it. */
  readonly balanceOpens?: true;
  /** What a release must know to decide a meterable property (requirements.ts). Absent: nothing that 1.2.0 does not. */
  readonly requires?: readonly string[];
}

export interface ArtifactCost {
  /** Of the meter that pays. It costs nothing itself. */
  readonly propertyId: string;
  /** Of one: 250 is a quarter. */
  readonly thousandths: number;
}

export interface ArtifactPlan {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly grantToAnonymousSessions: boolean;
  readonly grantToAuthenticatedUsers: boolean;
  /** Counts only beside a plan that is none. Absent: it is none. */
  readonly isAddOn?: true;
  /** Listed for anyone with a public key. It decides nothing. Absent: it is not. */
  readonly isPublic?: true;
  /** At most one per property, sorted by featureId, then propertyId. */
  readonly values: readonly ArtifactPlanValue[];
  /** Sorted by integrationId, productId, then priceId. */
  readonly products: readonly ProductReference[];
}

export interface ArtifactPlanValue {
  readonly featureId: string;
  readonly propertyId: string;
  readonly value: PropertyValue;
}

/** A product of one connected payment account, or one of its prices. Ids are unique within an account only. */
export interface ProductReference {
  readonly integrationId: string;
  readonly productId: string;
  /** Absent: whatever the price. */
  readonly priceId?: string;
  /** Numbers and limits of the plan are multiplied by the quantity that a customer subscribes to. */
  readonly timesQuantity?: true;
}

export type WorkflowType = 'dynamic-provisioning' | 'feature-behaviour';

export interface ArtifactWorkflow {
  readonly id: string;
  readonly name: string;
  readonly type: WorkflowType;
  /** The feature that the workflow may change values of. Null for dynamic provisioning. */
  readonly featureId: string | null;
  /** The TypeScript that `compiled` was made of, for people who compare versions. */
  readonly source: string;
  /** JavaScript. */
  readonly compiled: string;
}
