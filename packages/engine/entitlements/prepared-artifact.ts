/**
 * An artifact in the form that checks read. Everything that does not depend on the subject is computed once, in `prepare`.
 * Names chosen by users are looked up in Maps only.
 */
import type { WindowAnchor } from '#contracts/internal/ledger';
import type { Meter, PropertyType, PropertyValue } from '#contracts/public/values';
import type {
  ArtifactContent,
  ArtifactFeature,
  ArtifactPlan,
  ArtifactProperty,
  LimitOrder,
} from '../artifacts/artifact-content.ts';
import type { BoundedCache } from '../cache/bounded-cache.ts';
import type { PlanSet } from './plan-set.ts';
import type { Resolution } from './resolution.ts';

export interface PreparedArtifact {
  readonly content: ArtifactContent;
  readonly features: readonly PreparedFeature[];
  /** The properties of all features in order; a property's `index` refers to this list. */
  readonly properties: readonly PreparedProperty[];
  readonly plans: readonly PreparedPlan[];
  /** Indexes of the plans that count only beside one that is not among them. */
  readonly addOns: ReadonlySet<number>;
  readonly limitOrder: LimitOrder;
  /** Whether all values are written in Latin-1, which takes one byte a character. */
  readonly isLatin: boolean;
  /** Those whose usage is counted by entity, too. */
  readonly perEntity: readonly PreparedProperty[];
  /** Whether values of any property add up. */
  readonly hasSums: boolean;
  readonly featureBySlug: ReadonlyMap<string, PreparedFeature>;
  readonly propertyById: ReadonlyMap<string, PreparedProperty>;
  readonly planIndexBySlug: ReadonlyMap<string, number>;
  readonly planIndexById: ReadonlyMap<string, number>;
  /** By integration, then product; read by `linksOf`. */
  readonly linksByProduct: ReadonlyMap<string, ReadonlyMap<string, ProductLinks>>;
  /** Of subjects without any other plan. */
  readonly anonymousPlans: PlanSet;
  readonly authenticatedPlans: PlanSet;
  /** Indexes of the plans that are assigned to everyone, add-ons that count beside others only among them. */
  readonly assigned: { readonly anonymous: readonly number[]; readonly authenticated: readonly number[] };
  /** Cached resolutions by plan set. */
  readonly resolutions: BoundedCache<string, Resolution>;
}

export interface PreparedFeature {
  readonly index: number;
  readonly feature: ArtifactFeature;
  readonly slug: string;
  readonly properties: readonly PreparedProperty[];
  readonly propertyByKey: ReadonlyMap<string, PreparedProperty>;
  /** The system property that decides whether the feature is on. Null only in made-up artifacts. */
  readonly enabled: PreparedProperty | null;
}

export interface PreparedProperty {
  readonly index: number;
  readonly featureIndex: number;
  readonly feature: ArtifactFeature;
  readonly property: ArtifactProperty;
  readonly type: PropertyType;
  /** What each one of a meter counts on another; null: nothing. */
  readonly cost: PreparedCost | null;
  /** The JSON text before the value: `"key":`, preceded by the feature's opening for its first property. */
  readonly lead: string;
  /**
   * The default, then every value that a plan configures, in ascending order of precedence. The values of several plans
   * are merged by taking the highest index.
   */
  readonly choices: readonly Choice[];
  /** Whether any plan limits each entity: then usage of entities is counted. */
  readonly isPerEntity: boolean;
}

export interface PreparedCost {
  readonly payer: PreparedProperty;
  /** Of one. */
  readonly thousandths: number;
}

/** A possible value of a property, with its JSON text. */
export interface Choice {
  readonly value: PropertyValue;
  /** The text in the answer without a reading; null if it is metered, and then `meter` is set. */
  readonly text: string | null;
  readonly meter: MeterText | null;
  /** Whether each entity has a limit, beside that of the customer. */
  readonly isPerEntity: boolean;
}

/** The parts of a metered value's text that do not depend on the reading. */
export interface MeterText {
  /** Of a customer's own choice with the anchor of its billing windows. */
  readonly meter: Meter & WindowAnchor;
  /** From the limit to the name of `used`. */
  readonly middle: string;
  /** From the period to the name of `resetsAt`. */
  readonly end: string;
  /** The last computed recurring window; valid until it ends. */
  readonly window: { startsAt: number; resetsAt: number };
}

export interface PlanLink {
  /** The plan's, in the artifact. */
  readonly index: number;
  /** Null: whatever the price. */
  readonly priceId: string | null;
  readonly isTimesQuantity: boolean;
}

/** The plans that a product gives, one link for each. */
export interface ProductLinks {
  /** With a price that no plan is linked to, or an unknown one. */
  readonly anyPrice: readonly PlanLink[];
  readonly byPrice: ReadonlyMap<string, readonly PlanLink[]>;
}

export interface PreparedPlan {
  readonly plan: ArtifactPlan;
  /** Parallel arrays: the configured properties, and the choice of each. */
  readonly propertyIndexes: Uint32Array;
  readonly choiceIndexes: Uint32Array;
  /** What replaces limits in a trial of the plan, by property index; null without any. */
  readonly trialLimits: ReadonlyMap<number, number> | null;
  /** What each one of a meter that it sets costs, in thousandths, by property index; null without any. */
  readonly costs: ReadonlyMap<number, number> | null;
}
