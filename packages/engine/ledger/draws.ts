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
 * Takes from each source what it has left, in order, until nothing remains. What an entity's limit does not leave is taken of its own
 * grants, though they come later, and only what is beyond these, too, of the others.
 *
 * @param amount at least 0
 * @param leftOf what can be taken of a source
 * @param entityLeft what can be taken of sources that are not the entity's
 * @returns what is drawn from grants, and what is above all sources: the caller refuses it or counts it on the quota
 */
export function splitAmount(
  amount: number,
  minute: number,
  sources: readonly DrawSource[],
  leftOf: (source: DrawSource) => number,
  entityLeft = Number.POSITIVE_INFINITY,
): Split {
  const within = takeInOrder(amount, sources, leftOf, entityLeft);
  const beyond =
    within.rest === 0 || within.others > 0
      ? null
      : takeInOrder(within.rest, sources, (source, index) => leftOf(source) - (within.taken[index] ?? 0));
  const draws = sources.flatMap((source, index): Draw[] => {
    const part = (within.taken[index] ?? 0) + (beyond?.taken[index] ?? 0);
    return part === 0 || source === 'quota' ? [] : [{ grant: source.grant, minute, amount: part }];
  });
  const overage = beyond?.rest ?? within.rest;
  return { draws, overage, fitting: amount - within.rest, entityLeft: within.others };
}

interface Split {
  /** In the order of sources. */
  readonly draws: readonly Draw[];
  /** Above all sources. */
  readonly overage: number;
  /** What was taken before the entity's limit, or all sources, were used up. */
  readonly fitting: number;
  /** What the entity's limit leaves then. */
  readonly entityLeft: number;
}

function takeInOrder(
  amount: number,
  sources: readonly DrawSource[],
  leftOf: (source: DrawSource, index: number) => number,
  others = Number.POSITIVE_INFINITY,
): { readonly taken: readonly number[]; readonly rest: number; readonly others: number } {
  let [rest, left] = [amount, Math.max(0, others)];
  const taken = sources.map((source, index) => {
    if (rest === 0) return 0;
    const isEntitys = source !== 'quota' && source.entity !== undefined;
    const part = Math.min(rest, Math.max(0, leftOf(source, index)), isEntitys ? rest : left);
    rest -= part;
    if (!isEntitys) left -= part;
    return part;
  });
  return { taken, rest, others: left };
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
