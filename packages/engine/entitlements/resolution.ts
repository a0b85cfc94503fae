/** The resolved values for a set of plans, and the templates that answers are rendered from. */
import type { BalanceFacts } from '#contracts/internal/customer-facts';
import type { PropertyValue } from '#contracts/public/values';
import type { Denial } from '#contracts/public/verdict';
import { isLatinText } from '../cache/bytes-of-json.ts';
import type { Anchor } from './plan-anchors.ts';
import type { PlanQuantities } from './plan-set.ts';
import type { Choice, PreparedArtifact, PreparedCost, PreparedProperty } from './prepared-artifact.ts';

export interface Resolution {
  readonly prepared: PreparedArtifact;
  /** The applied plans, as indexes into the artifact's plans. */
  readonly planIndexes: readonly number[];
  readonly planSlugs: readonly string[];
  /** Of the plans that come times a quantity; null if none does. */
  readonly quantities: PlanQuantities | null;
  /** Indexes of the plans whose limits are those of a trial; null if none is. */
  readonly trials: ReadonlySet<number> | null;
  /** The plans and quantities as members of a JSON object. */
  readonly plansText: string;
  /** The winning choice of every property, by the property's index. */
  readonly configured: readonly Choice[];
  /** What applies: `configured`, apart from meters that their feature turns off. */
  readonly choices: readonly Choice[];
  /** Values that replace those from plans, by property index; null without any. */
  readonly overrides: ReadonlyMap<number, AppliedOverride> | null;
  /** What the billing windows of these meters are counted from, by property index; null if no plan says so. */
  readonly anchors: ReadonlyMap<number, Anchor> | null;
  /** The customer's balances of these meters, by property index; null without any. */
  readonly balances: ReadonlyMap<number, readonly BalanceFacts[]> | null;
  /** Values that a balance of the customer has opened, by property index; null without any. */
  readonly opened: ReadonlySet<number> | null;
  /** What each one of these meters costs by the plans, by property index; null: what the properties say. */
  readonly costs: ReadonlyMap<number, PreparedCost> | null;
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

const BYTES_PER_RESOLUTION = 800;
/** In two lists. */
const BYTES_PER_VALUE = 8;
/** The text of all features, that of each alone, and the one without readings. */
const TEXTS = 3;
/** A verdict, and the texts around the features. */
const CHARACTERS_PER_FEATURE = 40;
/** Its gaps in two texts, its text without a reading, and what is read of it. */
const BYTES_PER_METER = 350;
/** One that is neither the default nor in a plan. */
const BYTES_PER_OWN_VALUE = 250;

/** Approximate memory that a resolution takes with everything that is built of it. */
export function bytesOf({
  prepared,
  choices,
  quantities,
  overrides,
  anchors,
  balances,
  opened,
  plansText,
}: Resolution): number {
  let characters = prepared.features.length * CHARACTERS_PER_FEATURE;
  let meters = 0;
  let own = (overrides?.size ?? 0) + (anchors?.size ?? 0) + (opened?.size ?? 0);
  for (const each of balances?.values() ?? []) own += each.length;
  let isLatin = prepared.isLatin;
  for (const { index, lead } of prepared.properties) {
    const { value, text } = choices[index] as Choice;
    characters += lead.length + (text?.length ?? 0);
    if (typeof value === 'object') meters += 1;
    if (quantities !== null && (typeof value === 'number' || text === null)) own += 1;
  }
  for (const index of overrides?.keys() ?? []) isLatin &&= isLatinText(choices[index]?.text ?? '');
  return (
    BYTES_PER_RESOLUTION +
    choices.length * BYTES_PER_VALUE +
    meters * BYTES_PER_METER +
    own * BYTES_PER_OWN_VALUE +
    // The key of a set of plans is shorter than their text.
    2 * plansText.length +
    TEXTS * characters * (isLatin ? 1 : 2)
  );
}

/** Whether it is a customer's own, and not that of all customers with the same plans. */
export function isOwn({ overrides, anchors, balances }: Resolution): boolean {
  return overrides !== null || anchors !== null || balances !== null;
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
