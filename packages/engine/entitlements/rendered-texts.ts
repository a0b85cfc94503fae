/**
 * Remembers the rendered text of readings that several checks share: those that an isolate caches, and those of ledger answers
 * that say the same. The text follows from the resolution, the readings and the instant, and stays the same until a meter in it
 * resets; so a remembered text equals a new one to the letter.
 */
import { BoundedCache } from '../cache/bounded-cache.ts';
import {
  MAX_VALIDITY_MS,
  NOTHING_BESIDE,
  type Readings,
  type RenderedFeatures,
  renderFeatures,
} from './render-features.ts';
import type { Resolution } from './resolution.ts';

interface Remembered {
  readonly rendered: RenderedFeatures;
  /** The resolution's token. */
  readonly token: object;
  /** When it was rendered: earlier windows may differ. */
  readonly from: number;
}

/** Besides what is named below, approximately. */
const BYTES_PER_ENTRY = 400;
/** The readings are kept with the text. */
const BYTES_PER_READING = 80;
/** A denied feature, or a meter near its limit. */
const BYTES_PER_NOTE = 60;

export class RenderedTexts {
  readonly #entries: BoundedCache<Readings, Remembered>;

  /** @param maxBytes approximate memory, at two bytes a character */
  constructor(maxBytes: number) {
    this.#entries = new BoundedCache(maxBytes / 2, weightOf);
  }

  /** As renderFeatures, of which only whole answers with readings are remembered, unless there is something beside them. The readings must not be changed later. */
  render(
    resolution: Resolution,
    readings: Readings | null,
    now: number,
    onlyFeatures?: ReadonlySet<string>,
    beside = NOTHING_BESIDE,
  ): RenderedFeatures {
    if (readings === null || onlyFeatures !== undefined || beside !== NOTHING_BESIDE) {
      return renderFeatures(resolution, readings, now, onlyFeatures, beside);
    }
    const known = this.#entries.get(readings);
    if (known !== undefined && known.token === resolution.made.token && isCurrent(known, now)) {
      const { rendered } = known;
      return { ...rendered, validUntil: Math.min(now + MAX_VALIDITY_MS, rendered.resetsAt) };
    }
    const rendered = renderFeatures(resolution, readings, now);
    this.#entries.set(readings, { rendered, token: resolution.made.token, from: now });
    return rendered;
  }
}

function weightOf({ size }: Readings, { rendered: { json, denied, nearLimits } }: Remembered): number {
  const notes = (denied.length + nearLimits.length) * BYTES_PER_NOTE;
  return BYTES_PER_ENTRY + json.length * 2 + size * BYTES_PER_READING + notes;
}

function isCurrent({ from, rendered }: Remembered, now: number): boolean {
  return from <= now && now < rendered.resetsAt;
}
