/** Deduplicates the `features` texts of one group: each distinct text once, similar ones as a delta of another. */
import type { RecordedEvent } from '#contracts/internal/event-batch';
import { isSameList } from './event-shape.ts';
import { cutPieces, deltaOf, type TextDelta } from './text-delta.ts';

export interface TextReference {
  /** Index of the text in the group; null if the event has no features. */
  readonly text: number | null;
  /** How the event's features differ from that text; null if they are equal. */
  readonly delta: TextDelta | null;
}

interface Base {
  readonly number: number;
  readonly featureSlugs: readonly string[];
  /** Cut on the first comparison. */
  pieces: readonly string[] | null;
}

const NO_TEXT: TextReference = { text: null, delta: null };
/** Texts that a new one is compared with: about one for each plan in use. */
const MAX_BASES = 4;

export class GroupTexts {
  readonly #texts = new Map<string, TextReference>();
  readonly #bases: Base[] = [];
  #length = 0;
  #last: string | null = null;
  #lastReference = NO_TEXT;

  /** UTF-16 units of all texts. */
  get length(): number {
    return this.#length;
  }

  get all(): string[] {
    return [...this.#texts.keys()];
  }

  refer({ features, featureSlugs }: RecordedEvent): TextReference {
    if (features === null) return NO_TEXT;
    if (features === this.#last) return this.#lastReference;
    // The map comes second, because a lookup hashes the whole text.
    const reference =
      this.#compare(features, featureSlugs) ?? this.#texts.get(features) ?? this.#add(features, featureSlugs);
    this.#last = features;
    this.#lastReference = reference;
    return reference;
  }

  /** Compares texts of equal slugs only: search decides once per base text which feature slugs match. */
  #compare(features: string, featureSlugs: readonly string[]): TextReference | null {
    for (const base of this.#bases) {
      if (!isSameList(base.featureSlugs, featureSlugs)) continue;
      base.pieces ??= cutPieces(this.all[base.number] ?? '');
      const delta = deltaOf(base.pieces, features);
      if (delta !== null) return { text: base.number, delta: delta.length === 0 ? null : delta };
    }
    return null;
  }

  #add(features: string, featureSlugs: readonly string[]): TextReference {
    const reference: TextReference = { text: this.#texts.size, delta: null };
    this.#texts.set(features, reference);
    this.#length += features.length;
    if (this.#bases.length < MAX_BASES) {
      this.#bases.push({ number: this.#texts.size - 1, featureSlugs, pieces: null });
    }
    return reference;
  }
}
