/**
 * Decides whether an event matches search criteria. The result for an event's shape is computed once per shape, so that
 * filtering a chunk costs little more than parsing it.
 */
import type { EventOutcome, EventType } from '#contracts/console/events';
import type { EventLine } from './event-line.ts';
import { type EventShape, outcomeOf, searchTextsOf } from './event-shape.ts';
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

/** A term of the full-text index. */
export interface IndexTerm {
  readonly text: string;
  /** Terms that begin with the text are meant too. Slow in the index if many do. */
  readonly isPrefix: boolean;
}

/** Events whose phrases are counted, and from which share of them on a phrase is frequent. */
const MIN_SAMPLE = 30;
const MAX_SAMPLE = 300;
const FREQUENT_SHARE = 0.2;

interface ShapeMatch {
  readonly matches: boolean;
  /** For each phrase, whether the shape alone contains it. */
  readonly phrases: readonly boolean[];
}

export class EventFilter {
  readonly #criteria: FilterCriteria;
  readonly #phrases: readonly string[];
  readonly #shapes = new Map<EventShape, ShapeMatch>();
  /** How many of the sampled events contain each phrase. */
  readonly #found: number[];
  #sampled = 0;
  /** The text has no searchable character, so nothing matches it. */
  readonly isHopeless: boolean;

  constructor(criteria: FilterCriteria) {
    const words = (criteria.text ?? '').split(/\s+/u).filter((word) => word !== '');
    this.#criteria = criteria;
    this.#phrases = words.map(normaliseText).filter((phrase) => phrase !== '');
    this.#found = this.#phrases.map(() => 0);
    this.isHopeless = words.length > 0 && this.#phrases.length === 0;
  }

  /**
   * Every matching event contains all of these. Empty: no term is worth looking up. A phrase matches at the start of a word, so only its
   * last word is a prefix. That of a phrase which most events contain is left out: the index would read all of them, and narrow
   * down nothing. What is frequent is learned from the events that `matches` has seen.
   */
  get terms(): readonly IndexTerm[] {
    const { type, outcome, plan, feature, country } = this.#criteria;
    const terms = new Map<string, IndexTerm>();
    const add = (text: string, isPrefix = false) => {
      if (text !== '') terms.set(`${text}${isPrefix}`, { text, isPrefix });
    };
    for (const [index, phrase] of this.#phrases.entries()) {
      const words = phrase.split(' ');
      const last = words.pop() ?? '';
      for (const word of words) add(word);
      if (!this.#isFrequent(index)) add(last, true);
    }
    for (const text of [plan, feature, country]) {
      for (const word of normaliseText(text ?? '').split(' ')) add(word);
    }
    if (type) add(typeTerm(type));
    if (outcome) add(outcomeTerm(outcome));
    return [...terms.values()];
  }

  /** @param featureSlugs the slugs in the shape's features text; empty if the shape has none */
  matches(line: EventLine, featureSlugs: () => readonly string[]): boolean {
    if (this.isHopeless) return false;
    const inShape = this.#shapes.get(line.shape) ?? this.#matchShape(line.shape, featureSlugs());
    const isSampled = this.#sampled < MAX_SAMPLE;
    if (isSampled) this.#sampled += 1;
    let isMatch = inShape.matches;
    let fields: string[] | null = null;
    for (const [index, phrase] of this.#phrases.entries()) {
      if (!isMatch && !isSampled) return false;
      if (!inShape.phrases[index])
        fields ??= normaliseAll([line.subjectIdentifier, line.cfRay, ...line.secondarySubjectIdentifiers]);
      if (!inShape.phrases[index] && !isInOneOf(fields ?? [], phrase)) isMatch = false;
      else if (isSampled) this.#found[index] = (this.#found[index] ?? 0) + 1;
    }
    return isMatch;
  }

  #isFrequent(phrase: number): boolean {
    return this.#sampled >= MIN_SAMPLE && (this.#found[phrase] ?? 0) >= FREQUENT_SHARE * this.#sampled;
  }

  #matchShape(shape: EventShape, textSlugs: readonly string[]): ShapeMatch {
    const { type, outcome, plan, feature, country: wanted } = this.#criteria;
    const [ownType, , country, , , planSlugs, ownFeatureSlugs] = shape;
    const featureSlugs = [...(ownFeatureSlugs ?? []), ...textSlugs];
    const fields = normaliseAll([...searchTextsOf(shape), ...featureSlugs]);
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
