/**
 * What a customer's payments make of its balances. Pure: the same payments decide the same however often, late and in whatever order they
 * are read, so a lost, doubled or early event changes nothing.
 */
import type { BalanceCategory } from '#contracts/internal/customer-facts';
import type { PaidLine, Payment } from './paid-lines.ts';

/** What a one-time price gives. */
export interface TopUp {
  /** price_… */
  readonly priceId: string;
  readonly propertyId: string;
  /** For each one that is bought. */
  readonly amount: number;
  readonly category: Exclude<BalanceCategory, 'plan'>;
  readonly priority: number;
  /** Months from the payment; null: without an end. */
  readonly lastsMonths: number | null;
  readonly paysOverage: boolean;
  /** What was paid before gives nothing. Epoch milliseconds. */
  readonly createdAt: number;
}

/** A balance that a payment has made. */
export interface FundedBalance {
  readonly id: string;
  readonly paymentId: string | null;
  readonly paymentLine: string;
  readonly amount: number;
  readonly takenBack: number;
  readonly isFrozen: boolean;
  readonly source: FundedSource;
}

export interface FundedSource {
  /** How much refunds and a lost dispute have asked back until now, whether it was left or not. */
  readonly asked?: number;
  /** Whether a dispute froze it: a person's freeze stays. */
  readonly isDisputed?: true;
}

export type TopUpAction =
  | { readonly kind: 'give'; readonly payment: Payment; readonly line: PaidLine; readonly topUp: TopUp }
  | {
      readonly kind: 'adjust';
      readonly id: string;
      /** To be taken back as far as it is left. */
      readonly wish: number;
      readonly isFrozen: boolean;
      readonly source: FundedSource;
    };

/** @param balances those of the integration's payments that exist already */
export function decideTopUps(
  payments: readonly Payment[],
  topUps: readonly TopUp[],
  balances: readonly FundedBalance[],
): TopUpAction[] {
  return payments.flatMap((payment) =>
    payment.lines.flatMap((line): TopUpAction[] => {
      const existing = balances.find((each) => each.paymentId === payment.id && each.paymentLine === line.id);
      if (existing !== undefined) return adjustment(payment, existing);
      const topUp = topUps.find(({ priceId }) => priceId === line.priceId);
      const isFunding =
        topUp !== undefined && payment.paidAt >= secondOf(topUp.createdAt) && payment.dispute !== 'lost';
      return isFunding ? [{ kind: 'give', payment, line, topUp }] : [];
    }),
  );
}

/** Stripe says seconds. */
function secondOf(at: number): number {
  return Math.floor(at / 1_000) * 1_000;
}

function adjustment(payment: Payment, { id, amount, isFrozen, source }: FundedBalance): TopUpAction[] {
  const asked = payment.dispute === 'lost' ? amount : Math.ceil(amount * payment.refunded);
  const wish = Math.max(0, asked - (source.asked ?? 0));
  const isDisputed = payment.dispute === 'open';
  const wasDisputed = source.isDisputed === true;
  if (wish === 0 && isDisputed === wasDisputed) return [];
  return [
    {
      kind: 'adjust',
      id,
      wish,
      isFrozen: isDisputed || (isFrozen && !wasDisputed),
      source: {
        ...(Math.max(asked, source.asked ?? 0) > 0 && { asked: Math.max(asked, source.asked ?? 0) }),
        ...(isDisputed && { isDisputed: true as const }),
      },
    },
  ];
}

/** What a line gives. */
export function amountOf({ quantity }: PaidLine, { amount }: TopUp): number {
  return quantity * amount;
}

/** Of the prices that give nothing and were paid, the latest payment of each: for whoever set up the account. */
export function unlinkedPrices(
  payments: readonly Payment[],
  topUps: readonly TopUp[],
): ReadonlyMap<string, number> {
  const latest = new Map<string, number>();
  for (const { lines, paidAt } of payments)
    for (const { priceId } of lines)
      if (!topUps.some((each) => each.priceId === priceId))
        latest.set(priceId, Math.max(paidAt, latest.get(priceId) ?? 0));
  return latest;
}
