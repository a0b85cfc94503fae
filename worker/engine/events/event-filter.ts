/**
 * Decides whether an event is found by a search text. What a shape matches is decided once per shape, so that looking
 * through a chunk costs little more than reading it.
 */
import type { EventLine, EventShape } from './event-line.ts';
import { searchWords } from './search-words.ts';

export class EventFilter {
  readonly #phrases: readonly string[];
  readonly #shapes = new Map<EventShape, readonly boolean[]>();

  /** @param text what was typed */
  constructor(text: string) {
    this.#phrases = text
      .split(/\s+/u)
      .map(searchWords)
      .filter((phrase) => phrase !== '');
  }

  /** Words of which every one begins a word of every event that is found. Empty: nothing can be found. */
  get words(): readonly string[] {
    return [...new Set(this.#phrases.flatMap((phrase) => phrase.split(' ')))];
  }

  /** @param featureSlugs those of the text that the shape names; none where it names none */
  finds(line: EventLine, featureSlugs: () => readonly string[]): boolean {
    if (this.#phrases.length === 0) return false;
    const known = this.#shapes.get(line.shape) ?? this.#look(line.shape, featureSlugs());
    const own = [line.subjectIdentifier, line.cfRay, ...line.secondarySubjectIdentifiers];
    let fields: string[] | null = null;
    for (const [index, phrase] of this.#phrases.entries()) {
      if (known[index]) continue;
      fields ??= reduced(own);
      if (!isInOneOf(fields, phrase)) return false;
    }
    return true;
  }

  #look(shape: EventShape, featureSlugs: readonly string[]): readonly boolean[] {
    const [, , country, city, , planSlugs, ownFeatureSlugs, , , , stripeEventType, error] = shape;
    const fields = reduced([
      ...[country, city, stripeEventType, error],
      ...[...planSlugs, ...(ownFeatureSlugs ?? []), ...featureSlugs],
    ]);
    const found = this.#phrases.map((phrase) => isInOneOf(fields, phrase));
    this.#shapes.set(shape, found);
    return found;
  }
}

function reduced(fields: readonly (string | null)[]): string[] {
  return fields.filter((field) => field !== null).map(searchWords);
}

/** A phrase is found where it begins a word: `acme` finds `acme-analytics` and `the acme`, not `pacmen`. */
function isInOneOf(fields: readonly string[], phrase: string): boolean {
  return fields.some((field) => field.startsWith(phrase) || field.includes(` ${phrase}`));
}
