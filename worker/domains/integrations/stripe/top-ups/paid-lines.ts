/**
 * What a customer has paid for once, from what Stripe says of its payments now: checkouts and invoices, what was refunded of them, and
 * disputes. Pure. A checkout that made an invoice is counted by its invoice, so that one payment is one.
 */
import type { Stripe } from 'stripe';

export interface Payment {
  /** The invoice, or the payment of a checkout without one; of a checkout that cost nothing the checkout itself. */
  readonly id: string;
  /** What charged it; null: nothing did. */
  readonly intent: string | null;
  /** Epoch milliseconds. */
  readonly paidAt: number;
  readonly lines: readonly PaidLine[];
  /** Which share of what was paid was refunded: 0 to 1. */
  readonly refunded: number;
  readonly dispute: 'none' | 'open' | 'lost';
}

export interface PaidLine {
  /** Stripe's id of the line. */
  readonly id: string;
  /** price_… */
  readonly priceId: string;
  readonly quantity: number;
  readonly currency: string;
  readonly amountMinor: number;
}

export interface ReadPayments {
  readonly sessions: readonly Stripe.Checkout.Session[];
  readonly invoices: readonly Stripe.Invoice[];
  readonly charges: readonly Stripe.Charge[];
  readonly disputes: readonly Stripe.Dispute[];
}

/** Those that are paid: of a delayed method nothing is before the money has come. */
export function paymentsOf({ sessions, invoices, charges, disputes }: ReadPayments): Payment[] {
  const moneyOf = (intents: readonly string[]) => {
    const own = charges.filter((charge) => intents.includes(idOf(charge.payment_intent) ?? ''));
    const captured = own.reduce((sum, { amount_captured: amount }) => sum + amount, 0);
    const refunded = own.reduce((sum, { amount_refunded: amount }) => sum + amount, 0);
    const disputed = disputes.filter((each) => intents.includes(idOf(each.payment_intent) ?? ''));
    return {
      refunded: captured === 0 ? 0 : Math.min(1, refunded / captured),
      dispute: disputeOf(disputed),
      paidAt: Math.max(0, ...own.map(({ created }) => created)) * 1000,
    };
  };
  const ofSessions = sessions
    .filter(
      ({ mode, invoice, payment_status: status }) => mode === 'payment' && !invoice && status !== 'unpaid',
    )
    .map((session): Payment => {
      const intent = idOf(session.payment_intent);
      const { paidAt, ...money } = moneyOf(intent === null ? [] : [intent]);
      return {
        id: intent ?? session.id,
        intent,
        ...money,
        paidAt: Math.max(paidAt, session.created * 1000),
        lines: (session.line_items?.data ?? []).flatMap((line) =>
          lineOf(line, idOf(line.price), line.amount_total),
        ),
      };
    });
  const ofInvoices = invoices
    .filter(({ status }) => status === 'paid')
    .map((invoice): Payment => {
      const payments = (
        invoice as { payments?: { data: readonly { payment: { payment_intent?: unknown } }[] } }
      ).payments;
      const intents = (payments?.data ?? []).flatMap(({ payment }) => idOf(payment.payment_intent) ?? []);
      const { paidAt, ...money } = moneyOf(intents);
      const settledAt = invoice.status_transitions.paid_at ?? invoice.created;
      return {
        id: invoice.id ?? '',
        intent: intents[0] ?? null,
        ...money,
        paidAt: Math.max(paidAt, settledAt * 1000),
        lines: invoice.lines.data
          .filter(isSold)
          .flatMap((line) => lineOf(line, idOf(line.pricing?.price_details?.price), line.amount)),
      };
    });
  // Lists have the newest first. What was paid first is given first, and so drawn from first.
  return [...ofSessions, ...ofInvoices]
    .filter(({ id, lines }) => id !== '' && lines.length > 0)
    .toReversed()
    .toSorted((one, other) => one.paidAt - other.paidAt);
}

/** For itself: not as a subscription's period or a part of one, and not to give something back. */
function isSold({ parent, amount }: Stripe.InvoiceLineItem): boolean {
  return (
    amount >= 0 &&
    parent?.type !== 'subscription_item_details' &&
    parent?.invoice_item_details?.proration !== true
  );
}

function lineOf(
  {
    id,
    quantity,
    currency,
  }: { readonly id: string; readonly quantity: number | null; readonly currency: string },
  priceId: string | null,
  amountMinor: number,
): PaidLine[] {
  const count = quantity ?? 1;
  return priceId === null || count <= 0 ? [] : [{ id, priceId, quantity: count, currency, amountMinor }];
}

function disputeOf(disputes: readonly Stripe.Dispute[]): Payment['dispute'] {
  if (disputes.some(({ status }) => status === 'lost')) return 'lost';
  // An inquiry takes no money yet, but what is used meanwhile is gone.
  const isOpen = disputes.some(({ status }) => !['won', 'warning_closed', 'prevented'].includes(status));
  return isOpen ? 'open' : 'none';
}

function idOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
    ? value.id
    : null;
}
