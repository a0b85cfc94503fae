/**
 * What an artifact holds: the frozen description of an organisation's product that checks are decided by.
 * Every list is sorted by id, so that equal workspaces give equal content (and so an equal hash).
 */
import type { ConflictResolution, NumberBounds, PropertyType, PropertyValue } from '#contracts/values';

export interface ArtifactContent {
  /** Raised when old readers could no longer understand new content. */
  readonly formatVersion: 1;
  readonly features: readonly ArtifactFeature[];
  readonly plans: readonly ArtifactPlan[];
  /** Enabled workflows with compiled code only. */
  readonly workflows: readonly ArtifactWorkflow[];
}

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
  /** The default: what holds where no plan of the subject configures the property. */
  readonly value: PropertyValue;
  /** Of number properties only; null is no bounds. */
  readonly bounds: NumberBounds | null;
  readonly conflictResolution: ConflictResolution;
  readonly isSystem: boolean;
}

export interface ArtifactPlan {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly grantToAnonymousSessions: boolean;
  readonly grantToAuthenticatedUsers: boolean;
  /** At most one per property, sorted by featureId, then propertyId. */
  readonly values: readonly ArtifactPlanValue[];
  /** Sorted by integrationId, then productId. */
  readonly products: readonly ProductReference[];
}

export interface ArtifactPlanValue {
  readonly featureId: string;
  readonly propertyId: string;
  readonly value: PropertyValue;
}

/** A product of one connected payment account; ids of two accounts may coincide. */
export interface ProductReference {
  readonly integrationId: string;
  readonly productId: string;
}

export type WorkflowType = 'dynamic-provisioning' | 'feature-behaviour';

export interface ArtifactWorkflow {
  readonly id: string;
  readonly name: string;
  readonly type: WorkflowType;
  /** The feature whose values it may change; null for dynamic provisioning. */
  readonly featureId: string | null;
  /** JavaScript, as it is loaded. */
  readonly compiled: string;
}
