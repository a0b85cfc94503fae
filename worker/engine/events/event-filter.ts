/**
 * Decides whether an event matches a search text. The result for an event's shape is computed once per shape, so that
 * filtering a chunk costs little more than parsing it.
 */
import type { EventLine, EventShape } from './event-line.ts';
import { normaliseText } from './search-terms.ts';

export class EventFilter {
  readonly #phrases: readonly string[];
  readonly #shapes = new Map<EventShape, readonly boolean[]>();

  /** @param text the search text as typed */
  constructor(text: string) {
    this.#phrases = text
      .split(/\s+/u)
      .map(normaliseText)
      .filter((phrase) => phrase !== '');
  }

  /** Every matching event contains, for each of these, a term that begins with it. Empty: nothing can match. */
  get terms(): readonly string[] {
    return [...new Set(this.#phrases.flatMap((phrase) => phrase.split(' ')))];
  }

  /** @param featureSlugs the slugs in the shape's features text; empty if the shape has none */
  matches(line: EventLine, featureSlugs: () => readonly string[]): boolean {
    if (this.#phrases.length === 0) return false;
    const inShape = this.#shapes.get(line.shape) ?? this.#matchShape(line.shape, featureSlugs());
    let fields: string[] | null = null;
    for (const [index, phrase] of this.#phrases.entries()) {
      if (inShape[index]) continue;
      fields ??= normaliseAll([line.subjectIdentifier, line.cfRay, ...line.secondarySubjectIdentifiers]);
      if (!isInOneOf(fields, phrase)) return false;
    }
    return true;
  }

  /** For each phrase, whether the shape alone contains it. */
  #matchShape(shape: EventShape, featureSlugs: readonly string[]): readonly boolean[] {
    const [, , country, city, , planSlugs, ownFeatureSlugs, , , , stripeEventType, error] = shape;
    const fields = normaliseAll([
      ...[country, city, stripeEventType, error],
      ...[...planSlugs, ...(ownFeatureSlugs ?? []), ...featureSlugs],
    ]);
    const matches = this.#phrases.map((phrase) => isInOneOf(fields, phrase));
    this.#shapes.set(shape, matches);
    return matches;
  }
}

function normaliseAll(fields: readonly (string | null)[]): string[] {
  return fields.filter((field) => field !== null).map(normaliseText);
}

/** A phrase matches at the start of a word: `acme` matches `acme-analytics` and `the acme`, not `pacmen`. */
function isInOneOf(fields: readonly string[], phrase: string): boolean {
  return fields.some((field) => field.startsWith(phrase) || field.includes(` ${phrase}`));
}
