/**
 * Decides whether an event matches search criteria. The result for an event's shape is computed once per shape, so that
 * filtering a chunk costs little more than parsing it.
 */
import type { EventOutcome, EventType } from '#contracts/console/events';
import type { EventLine } from './event-line.ts';
import { type EventShape, outcomeOf } from './event-shape.ts';
import { normaliseText, outcomeTerm, typeTerm } from './search-terms.ts';

/** Null or absent: no restriction. */
export interface FilterCriteria {
  /** As typed. Blank matches every event. */
  readonly text?: string | null;
  readonly type?: EventType | null;
  readonly outcome?: EventOutcome | null;
  /** A plan's slug. */
  readonly plan?: string | null;
  /** A feature's slug. */
  readonly feature?: string | null;
  /** Two capital letters. */
  readonly country?: string | null;
}

interface ShapeMatch {
  readonly matches: boolean;
  /** For each phrase, whether the shape alone contains it. */
  readonly phrases: readonly boolean[];
}

export class EventFilter {
  readonly #criteria: FilterCriteria;
  readonly #phrases: readonly string[];
  readonly #shapes = new Map<EventShape, ShapeMatch>();
  /** The text has no searchable character, so nothing matches it. */
  readonly isHopeless: boolean;

  constructor(criteria: FilterCriteria) {
    const words = (criteria.text ?? '').split(/\s+/u).filter((word) => word !== '');
    this.#criteria = criteria;
    this.#phrases = words.map(normaliseText).filter((phrase) => phrase !== '');
    this.isHopeless = words.length > 0 && this.#phrases.length === 0;
  }

  /** Every matching event contains, for each of these, a term that begins with it. Empty: the criteria restrict nothing. */
  get terms(): readonly string[] {
    const { type, outcome, plan, feature, country } = this.#criteria;
    const texts = [...this.#phrases, ...[plan, feature, country].map((text) => normaliseText(text ?? ''))];
    const terms = new Set(texts.flatMap((text) => text.split(' ')).filter((term) => term !== ''));
    if (type) terms.add(typeTerm(type));
    if (outcome) terms.add(outcomeTerm(outcome));
    return [...terms];
  }

  /** @param featureSlugs the slugs in the shape's features text; empty if the shape has none */
  matches(line: EventLine, featureSlugs: () => readonly string[]): boolean {
    if (this.isHopeless) return false;
    const inShape = this.#shapes.get(line.shape) ?? this.#matchShape(line.shape, featureSlugs());
    if (!inShape.matches) return false;
    let fields: string[] | null = null;
    for (const [index, phrase] of this.#phrases.entries()) {
      if (inShape.phrases[index]) continue;
      fields ??= normaliseAll([line.subjectIdentifier, line.cfRay, ...line.secondarySubjectIdentifiers]);
      if (!isInOneOf(fields, phrase)) return false;
    }
    return true;
  }

  #matchShape(shape: EventShape, textSlugs: readonly string[]): ShapeMatch {
    const { type, outcome, plan, feature, country: wanted } = this.#criteria;
    const [ownType, , country, city, , planSlugs, ownFeatureSlugs, , , , stripeEventType, error] = shape;
    const featureSlugs = [...(ownFeatureSlugs ?? []), ...textSlugs];
    const fields = normaliseAll([country, city, stripeEventType, error, ...planSlugs, ...featureSlugs]);
    const match = {
      matches:
        (!type || type === ownType) &&
        (!outcome || outcome === outcomeOf(shape)) &&
        (!plan || planSlugs.includes(plan)) &&
        (!feature || featureSlugs.includes(feature)) &&
        (!wanted || wanted === country),
      phrases: this.#phrases.map((phrase) => isInOneOf(fields, phrase)),
    };
    this.#shapes.set(shape, match);
    return match;
  }
}

function normaliseAll(fields: readonly (string | null)[]): string[] {
  return fields.filter((field) => field !== null).map(normaliseText);
}

/** A phrase matches at the start of a word: `acme` matches `acme-analytics` and `the acme`, not `pacmen`. */
function isInOneOf(fields: readonly string[], phrase: string): boolean {
  return fields.some((field) => field.startsWith(phrase) || field.includes(` ${phrase}`));
}
