/** The texts of features that the answers of one group have, each once, or told by what it differs in from another. */
import type { RecordedEvent } from '#contracts/event-batch';
import { isSameList } from './event-line.ts';
import { cut, deltaOf, type TextDelta } from './text-delta.ts';

export interface FoundText {
  /** Number of the text; null where the event has no features. */
  readonly text: number | null;
  /** What the event's features differ in from that text; null where in nothing. */
  readonly delta: TextDelta | null;
}

interface Base {
  readonly number: number;
  readonly featureSlugs: readonly string[];
  /** Cut when a second text is compared with it. */
  pieces: readonly string[] | null;
}

const NO_TEXT: FoundText = { text: null, delta: null };
/** Bases that a text is compared with: the answers of a few plans. */
const MAX_BASES = 4;

export class GroupTexts {
  readonly #texts = new Map<string, FoundText>();
  readonly #bases: Base[] = [];
  #last: string | null = null;
  #lastFound = NO_TEXT;

  get all(): string[] {
    return [...this.#texts.keys()];
  }

  find({ features, featureSlugs }: RecordedEvent): FoundText {
    if (features === null) return NO_TEXT;
    if (features === this.#last) return this.#lastFound;
    // Comparing comes first: to look a long text up is to read it whole.
    const found =
      this.#compare(features, featureSlugs) ?? this.#texts.get(features) ?? this.#add(features, featureSlugs);
    this.#last = features;
    this.#lastFound = found;
    return found;
  }

  /** Features of the same slugs only: what a text is found by is asked once for all that tell their difference from it. */
  #compare(features: string, featureSlugs: readonly string[]): FoundText | null {
    for (const base of this.#bases) {
      if (!isSameList(base.featureSlugs, featureSlugs)) continue;
      base.pieces ??= cut(this.all[base.number] ?? '');
      const delta = deltaOf(base.pieces, features);
      if (delta !== null) return { text: base.number, delta: delta.length === 0 ? null : delta };
    }
    return null;
  }

  #add(features: string, featureSlugs: readonly string[]): FoundText {
    const found: FoundText = { text: this.#texts.size, delta: null };
    this.#texts.set(features, found);
    if (this.#bases.length < MAX_BASES) {
      this.#bases.push({ number: this.#texts.size - 1, featureSlugs, pieces: null });
    }
    return found;
  }
}
