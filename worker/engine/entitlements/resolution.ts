/** The values that hold for a set of plans, and the text that answers are made from. */
import type { PropertyValue } from '#contracts/values';
import type { Choice, MeterText, PreparedArtifact, PreparedProperty } from './prepared-artifact.ts';

export interface Resolution {
  readonly prepared: PreparedArtifact;
  /** The plans that hold, as places in the artifact's list. */
  readonly planIndexes: readonly number[];
  readonly planSlugs: readonly string[];
  /** `planSlugs` as JSON. */
  readonly planSlugsText: string;
  /** The winning choice of every property, by the property's index. */
  readonly choices: readonly Choice[];
  /** Values that stand in place of what the plans say, by property index; null without any. */
  readonly overrides: ReadonlyMap<number, AppliedOverride> | null;
  /** Made when first needed. */
  readonly made: {
    /** Of all features. */
    whole: Template | null;
    /** Of single features, by the feature's index. */
    readonly features: Map<number, Template>;
    /** The text of all features without readings, true from `from` until the next reset. */
    idle: { text: string; from: number; until: number } | null;
  };
}

export interface AppliedOverride {
  readonly value: PropertyValue;
  /** Who said so: 'override' or 'workflow <name>', for explaining. */
  readonly source: string;
}

/** Text with holes where readings belong: segments[0] hole[0] segments[1] hole[1] … segments[n]. */
export interface Template {
  readonly segments: readonly string[];
  readonly holes: readonly Hole[];
}

export interface Hole {
  readonly property: PreparedProperty;
  readonly meter: MeterText;
}
