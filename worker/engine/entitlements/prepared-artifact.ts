/**
 * An artifact as checks read it: everything that does not depend on the subject is done once, in `prepare`. Lookups
 * by names that users choose go through Maps only.
 */
import type { Meter, PropertyType, PropertyValue } from '#contracts/values';
import type {
  ArtifactContent,
  ArtifactFeature,
  ArtifactPlan,
  ArtifactProperty,
} from '../artifacts/artifact-content.ts';
import type { PlanSet } from './plan-set.ts';
import type { Resolution } from './resolution.ts';
import type { TwoGenerationCache } from './two-generation-cache.ts';

export interface PreparedArtifact {
  readonly content: ArtifactContent;
  readonly features: readonly PreparedFeature[];
  /** Of all features, one after the other; a property's `index` is its place here. */
  readonly properties: readonly PreparedProperty[];
  readonly plans: readonly PreparedPlan[];
  readonly featureBySlug: ReadonlyMap<string, PreparedFeature>;
  readonly propertyById: ReadonlyMap<string, PreparedProperty>;
  readonly planIndexBySlug: ReadonlyMap<string, number>;
  readonly planIndexById: ReadonlyMap<string, number>;
  /** By integration, then product: the plans that the product grants. */
  readonly plansByProduct: ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>;
  readonly anonymousPlans: PlanSet;
  readonly authenticatedPlans: PlanSet;
  /** What has been resolved for which plan set. */
  readonly resolutions: TwoGenerationCache<Resolution>;
}

export interface PreparedFeature {
  readonly index: number;
  readonly feature: ArtifactFeature;
  readonly slug: string;
  readonly properties: readonly PreparedProperty[];
  readonly propertyByKey: ReadonlyMap<string, PreparedProperty>;
}

export interface PreparedProperty {
  readonly index: number;
  readonly featureIndex: number;
  readonly feature: ArtifactFeature;
  readonly property: ArtifactProperty;
  readonly type: PropertyType;
  /** The JSON text that stands before the value: `"key":`, with what opens the feature before its first property. */
  readonly lead: string;
  /**
   * First the default, then every value that some plan configures, in the order in which they win. Merging the values
   * of several plans is so to take the largest place in this list.
   */
  readonly choices: readonly Choice[];
}

/** A value that a property may take, with its JSON text ready. */
export interface Choice {
  readonly value: PropertyValue;
  /** What the answer says; null where it depends on a reading, and then there is a meter. */
  readonly text: string | null;
  readonly meter: MeterText | null;
}

/** The parts of a metered value's answer that do not depend on the reading. */
export interface MeterText {
  readonly meter: Meter;
  /** From the limit to the name of `used`. */
  readonly middle: string;
  /** From the period to the name of `resetsAt`. */
  readonly end: string;
  /** The recurring window computed last; it serves until it is over. */
  readonly window: { startsAt: number; resetsAt: number };
}

export interface PreparedPlan {
  readonly plan: ArtifactPlan;
  /** What the plan configures: properties' indexes, and at the same place which choice of each. */
  readonly propertyIndexes: Uint32Array;
  readonly choiceIndexes: Uint32Array;
}
