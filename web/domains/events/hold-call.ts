/** A recorded call about a hold: what it asked for, and what became of the hold. */
import type { Event } from '#contracts/console/events';
import { fieldOf } from '#web/values/event-fields.ts';

export interface HoldCall {
  readonly kind: 'open' | 'extend' | 'settle';
  /** 'ai.credits'. */
  readonly meter: string;
  /** What was to be held, to be added, or was used; null if the call did not say. */
  readonly asked: number | null;
  /** Null: nothing is held. */
  readonly hold: {
    readonly id: string;
    readonly amount: number;
    readonly expiresAt: number | null;
  } | null;
  readonly isAccepted: boolean;
  /** Of a hold that is settled. */
  readonly settled: { readonly applied: number; readonly released: number; readonly overage: number } | null;
}

/** Null: it counts usage, or checks access. */
export function holdCallOf({
  type,
  request,
  response,
}: Pick<Event, 'type' | 'request' | 'response'>): HoldCall | null {
  if (type !== 'cu') return null;
  const asked = numberOf(request, 'amount');
  const isChange = typeof fieldOf(request, 'hold') === 'string';
  if (!isChange && (asked === null || fieldOf(request, 'by') !== undefined)) return null;
  const hold = fieldOf(response, 'hold');
  const [id, amount] = [fieldOf(hold, 'id'), numberOf(hold, 'amount')];
  const [applied, released] = [numberOf(response, 'applied'), numberOf(response, 'released')];
  const isSettled = applied !== null && released !== null;
  const isSettlement = isSettled || fieldOf(request, 'onExcess') !== undefined;
  return {
    kind: !isChange ? 'open' : isSettlement ? 'settle' : 'extend',
    meter: `${textOf(request, 'feature')}.${textOf(request, 'property')}`,
    asked,
    hold:
      typeof id === 'string' && amount !== null
        ? { id, amount, expiresAt: numberOf(hold, 'expiresAt') }
        : null,
    isAccepted: fieldOf(response, 'accepted') === true,
    settled: isSettled ? { applied, released, overage: numberOf(response, 'overage') ?? 0 } : null,
  };
}

function numberOf(value: unknown, name: string): number | null {
  const found = fieldOf(value, name);
  return typeof found === 'number' ? found : null;
}

function textOf(value: unknown, name: string): string {
  const found = fieldOf(value, name);
  return typeof found === 'string' ? found : '';
}
