/** Whether a recorded call took usage from a source: the quota of the plans, what a hold had taken before, or a balance. */
import type { DrewFrom } from '#contracts/console/events';
import type { EventLine } from './event-line.ts';
import { mentionsOf } from './mentions.ts';
import { parsedResponse } from './stored-event.ts';

interface Taken {
  readonly accepted?: unknown;
  readonly replayed?: unknown;
  readonly applied?: unknown;
  readonly released?: unknown;
  readonly draws?: unknown;
  readonly hold?: { readonly amount?: unknown } | null;
  readonly meter?: { readonly state?: unknown };
  readonly state?: unknown;
  /** What was counted on the meter that pays. */
  readonly costs?: Pick<Taken, 'applied' | 'draws' | 'meter'>;
}

const BALANCE = 'balance:' satisfies DrewFrom;

/** The balance's ID; null for other sources. */
export const balanceIn = (source: DrewFrom): string | null =>
  source.startsWith(BALANCE) ? source.slice(BALANCE.length) : null;

export function isDrawnFrom(line: EventLine, source: DrewFrom): boolean {
  const balance = balanceIn(source);
  if (balance !== null) return mentionsOf(line).balances.includes(balance);
  if (!line.response.includes('"accepted":true')) return false;
  const answer = objectOf(parsedResponse(line));
  const taken: Taken = objectOf(answer.consumed ?? answer);
  if (taken.accepted !== true || taken.replayed === true) return false;
  const isSettled = typeof taken.released === 'number';
  if (source === 'held') return isSettled && numberOf(taken.applied) > 0;
  const { costs } = taken;
  if (costs?.meter?.state === 'metered' && numberOf(costs.applied) > drawnIn(costs.draws)) return true;
  if ((taken.meter ?? taken).state !== 'metered') return false;
  return takenIn(taken, line) > drawnIn(taken.draws);
}

/** What the response's draws are of: what was counted, also by a settlement; what a hold has taken, or an extension has added. */
function takenIn({ applied, hold }: Taken, line: EventLine): number {
  if (applied !== undefined || hold == null) return numberOf(applied);
  const request = objectOf(line.request);
  return numberOf('hold' in request ? request.amount : hold.amount);
}

function drawnIn(draws: unknown): number {
  if (!Array.isArray(draws)) return 0;
  return draws.reduce<number>((sum, draw) => sum + Math.max(0, numberOf(objectOf(draw).amount)), 0);
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
