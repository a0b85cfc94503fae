/** The resolved values for a set of plans, and the templates that answers are rendered from. */
import type { PropertyValue } from '#contracts/public/values';
import type { Denial } from '#contracts/public/verdict';
import type { PlanQuantities } from './plan-set.ts';
import type { Choice, PreparedArtifact, PreparedProperty } from './prepared-artifact.ts';

export interface Resolution {
  readonly prepared: PreparedArtifact;
  /** The applied plans, as indexes into the artifact's plans. */
  readonly planIndexes: readonly number[];
  readonly planSlugs: readonly string[];
  /** Of the plans that come times a quantity; null if none does. */
  readonly quantities: PlanQuantities | null;
  /** The plans and quantities as members of a JSON object. */
  readonly plansText: string;
  /** The winning choice of every property, by the property's index. */
  readonly configured: readonly Choice[];
  /** What applies: `configured`, apart from meters that their feature turns off. */
  readonly choices: readonly Choice[];
  /** Values that replace those from plans, by property index; null without any. */
  readonly overrides: ReadonlyMap<number, AppliedOverride> | null;
  readonly made: MadeTexts;
}

/** Texts of a resolution, built on first use. */
export interface MadeTexts {
  /** Tells the resolution from others without referring to it, so that a cache does not keep its artifact in memory. */
  readonly token: object;
  /** Text of all features. */
  whole: Template | null;
  /** Texts of single features, by the feature's index. */
  readonly features: Map<number, Template>;
  /** The text of all features without readings, valid from `from` until the next reset. */
  idle: { text: string; denied: readonly Denial[]; from: number; until: number } | null;
}

const BYTES_PER_RESOLUTION = 500;
/** A choice, its share of the answer's text and of the text's gaps. */
const BYTES_PER_VALUE = 100;

/** Approximate memory that a resolution alone takes, with the texts that are built of it. */
export function bytesOf({ choices, quantities, plansText }: Resolution): number {
  // The key of a set with quantities is about as long as the text.
  const own = quantities === null ? 0 : 2 * plansText.length;
  return BYTES_PER_RESOLUTION + choices.length * BYTES_PER_VALUE + own;
}

/** The texts of a new resolution. */
export function nothingMade(): MadeTexts {
  return { token: {}, whole: null, features: new Map(), idle: null };
}

export interface AppliedOverride {
  readonly value: PropertyValue;
  /** For explanations: 'override' or 'workflow <name>'. */
  readonly source: string;
}

/** Text with gaps for readings: segments[0] gaps[0] segments[1] gaps[1] … segments[n]. */
export interface Template {
  readonly segments: readonly string[];
  readonly gaps: readonly (Hole | VerdictGap)[];
  /** Those of meters. */
  readonly holes: readonly Hole[];
  /** Features that are denied whatever the readings. */
  readonly denied: readonly Denial[];
}

export interface Hole {
  readonly property: PreparedProperty;
  /** A meterable value. */
  readonly choice: Choice;
}

/** The verdict on a feature that has meters. It follows the gaps of these. */
export interface VerdictGap {
  readonly choice: null;
  readonly slug: string;
  readonly isOn: boolean;
}
