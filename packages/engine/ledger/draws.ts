/**
 * What usage is taken from: the plan's quota and grants, in one order. A draw is decided once, when the usage is counted, and is itself
 * counted: as usage of a name of its own, in the same minute and transaction as the property's total. So it replicates, is copied and
 * gets wider with age as all usage does, and later changes of order, limits or grants never redraw.
 */
import type { Draw, DrawSource } from '#contracts/internal/ledger';

/** Occurs in no property id. */
const SEPARATOR = '/';

/** What is counted as drawn from a grant by usage of a property. */
export function drawName(propertyId: string, grant: string): string {
  return propertyId + SEPARATOR + grant;
}

/** @returns null if the name is a property's id */
export function readDrawName(name: string): { readonly propertyId: string; readonly grant: string } | null {
  const end = name.indexOf(SEPARATOR);
  return end < 0 ? null : { propertyId: name.slice(0, end), grant: name.slice(end + 1) };
}

/**
 * Takes from each source what it has left, in order, until nothing remains.
 *
 * @param amount at least 0
 * @param leftOf what can be taken of a source
 * @returns what is drawn from grants, and what is above all sources: the caller refuses it or counts it on the quota
 */
export function splitAmount(
  amount: number,
  minute: number,
  sources: readonly DrawSource[],
  leftOf: (source: DrawSource) => number,
): { readonly draws: readonly Draw[]; readonly overage: number } {
  const draws: Draw[] = [];
  let rest = amount;
  for (const source of sources) {
    if (rest === 0) break;
    const part = Math.min(rest, Math.max(0, leftOf(source)));
    if (part === 0) continue;
    if (source !== 'quota') draws.push({ grant: source.grant, minute, amount: part });
    rest -= part;
  }
  return { draws, overage: rest };
}

/**
 * Which of a bucket's usage is given back: what was drawn last goes first. What grants have drawn that are no sources any more cannot be
 * given back.
 *
 * @param used in the bucket
 * @param drawn by grant, in the bucket
 * @returns what is given back to each grant, and how much in all
 */
export function splitGiveBack(
  amount: number,
  minute: number,
  used: number,
  drawn: ReadonlyMap<string, number>,
  sources: readonly DrawSource[],
): { readonly draws: readonly Draw[]; readonly given: number } {
  const draws: Draw[] = [];
  let onQuota = used;
  for (const each of drawn.values()) onQuota -= each;
  let rest = amount;
  for (const source of sources.toReversed()) {
    const has = source === 'quota' ? onQuota : (drawn.get(source.grant) ?? 0);
    const part = Math.min(rest, Math.max(0, has));
    if (part === 0) continue;
    if (source !== 'quota') draws.push({ grant: source.grant, minute, amount: -part });
    rest -= part;
  }
  return { draws, given: amount - rest };
}
