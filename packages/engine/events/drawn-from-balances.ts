/**
 * What recorded calls took from balances, for roll-ups. A hold counts once it is settled, with what was used of it, as `used` does; one that ends by
 * itself used nothing.
 */
import { readLine } from './event-line.ts';
import type { EventShape } from './event-shape.ts';
import { parsedResponse } from './stored-event.ts';

/** Of one meter and balance. */
export interface DrawnFromBalance {
  readonly time: number;
  readonly key: string;
  /** Negative: given back. */
  readonly amount: number;
}

/** What a roll-up counts by. */
export interface DrawnKey {
  readonly feature: string;
  readonly property: string;
  /** bal_…, of one without an ID of the application; or the kind of all others. `other`: of several. */
  readonly from: string;
}

const DRAWS = '"draws":[{';
const BALANCE = 'bal_';
const ROLLED = 'roll:';

interface Taken {
  readonly accepted?: unknown;
  readonly replayed?: unknown;
  readonly released?: unknown;
  readonly hold?: unknown;
  readonly draws?: unknown;
  readonly costs?: { readonly feature?: unknown; readonly property?: unknown; readonly draws?: unknown };
}

/** @param lines of a chunk, of which few draw from balances */
export function* drawnFromBalances(
  lines: string,
  shapes: readonly EventShape[],
): Generator<DrawnFromBalance> {
  if (!lines.includes(DRAWS)) return;
  for (const text of lines.split('\n')) {
    if (!text.includes(DRAWS)) continue;
    const line = readLine(text, shapes);
    const answer = objectOf(parsedResponse(line));
    const taken: Taken = objectOf(answer.consumed ?? answer);
    const isOnlyHeld = taken.hold != null && typeof taken.released !== 'number';
    if (taken.accepted !== true || taken.replayed === true || isOnlyHeld) continue;
    const request = objectOf(line.request);
    const meter = line.shape.type === 'ac' ? objectOf(request.consume) : request;
    for (const [of, draws] of [
      [meter, taken.draws],
      [taken.costs, taken.costs?.draws],
    ] as const)
      for (const { from, amount } of drawsIn(draws))
        yield { time: line.time, key: keyOf(of?.feature, of?.property, sourceOf(from)), amount };
  }
}

export function readDrawnKey(key: string): DrawnKey {
  const [feature = '', property = '', from = ''] = key.split(' ');
  return { feature, property, from };
}

/** The key of what a roll-up has no room for apart. */
export function otherKeyOf(key: string): string {
  const { feature, property } = readDrawnKey(key);
  return keyOf(feature, property, 'other');
}

/** Slugs and keys have no spaces. */
function keyOf(feature: unknown, property: unknown, from: string): string {
  return `${String(feature)} ${String(property)} ${from}`;
}

function sourceOf(from: string): string {
  if (from.startsWith(BALANCE)) return from;
  return from.startsWith(ROLLED) ? 'rollover' : 'api';
}

function drawsIn(draws: unknown): { readonly from: string; readonly amount: number }[] {
  if (!Array.isArray(draws)) return [];
  return draws.flatMap((each: unknown) => {
    const { from, amount } = objectOf(each);
    return typeof from === 'string' && typeof amount === 'number' ? { from, amount } : [];
  });
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
