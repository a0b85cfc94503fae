// Payments on the control page: opening a checkout, and what banks do with payments, refunds and disputes.
import { getRecord } from '../resources/list-page.ts';
import type {
  ChargeRecord,
  DisputeRecord,
  PaymentIntentRecord,
  RefundRecord,
} from '../store/payment-records.ts';
import type { PriceRecord } from '../store/records.ts';
import { nameOf } from './control-actions.ts';
import { actionForm, type ControlView } from './control-view.ts';
import { type Html, html } from './html.ts';
import { decimalsOf, formatMoney, formatPrice, formatTime } from './money.ts';
import { statusBadge } from './status-badge.ts';

const shownPayments = 8;

/** Opens a checkout of a price, for the chosen customer or for somebody new. */
export function checkoutCard(view: ControlView): Html {
  const { customer } = view;
  const prices = priceOptions(view);
  return html`<section class="card tight">
    <header><h2>Checkout</h2><span class="quiet small">${customer === null ? 'for a new customer' : `for ${nameOf(customer)}`}</span></header>
    ${prices.length === 0 && html`<p class="quiet">Create a price to sell first.</p>`}
    ${
      prices.length > 0 &&
      actionForm(
        view,
        'open-checkout',
        customer === null ? {} : { customer: customer.id },
        html`<label class="most">Price<select name="price">${prices}</select></label>
          <label class="least">Quantity<input name="quantity" type="number" min="1" max="999999" value="1"></label>
          <button class="primary">Open checkout</button>`,
      )
    }
    <details>
      <summary>Create a one-time price</summary>
      ${actionForm(
        view,
        'sell-once',
        {},
        html`<label>Product<input name="name" placeholder="10,000 credits" required></label>
          <label>Amount in ${view.context.account.currency.toUpperCase()}<input name="amount" inputmode="decimal" placeholder="20.00" required></label>
          <button>Create price</button>`,
      )}
    </details>
    <details>
      <summary>Create a promotion code</summary>
      ${actionForm(
        view,
        'create-code',
        {},
        html`<label>Code<input name="code" placeholder="WELCOME20" required></label>
          <label>Percent off<input name="percent" type="number" min="1" max="100" value="20" required></label>
          <label>Lasts<select name="duration"><option value="once">for one invoice</option><option value="forever">forever</option></select></label>
          <button>Create code</button>`,
      )}
    </details>
  </section>`;
}

/** Active prices by age, one-time ones first: subscriptions can be started without a checkout. */
function priceOptions({ context }: ControlView): Html[] {
  const { objects } = context.emulator;
  const names = new Map(objects.all(context.scope, 'product').map(({ id, name }) => [id, name]));
  const rank = ({ recurring }: PriceRecord) => (recurring === null ? 0 : 1);
  return objects
    .all(context.scope, 'price')
    .filter(({ active, recurring }) => active && recurring?.usage_type !== 'metered')
    .sort((a, b) => rank(a) - rank(b) || a.created - b.created)
    .map(
      (price) =>
        html`<option value="${price.id}">${names.get(price.product) ?? price.product} · ${formatPrice(price)}${price.recurring === null && ' once'}</option>`,
    );
}

export function paymentList(view: ControlView): Html {
  const { context, customer } = view;
  const parent = customer === null ? {} : { parent: customer.id };
  const { objects } = context.emulator;
  const page = objects.page(context.scope, 'payment_intent', { limit: shownPayments, ...parent });
  const payments = page?.items ?? [];
  return html`<section class="card" id="payments">
    <header><h2>Payments</h2>${payments.length > 0 && html`<span class="quiet small">the latest ${payments.length}${customer !== null && html` of ${nameOf(customer)}`}</span>`}</header>
    ${payments.length === 0 && html`<p class="quiet">None yet. A paid checkout or invoice appears here, to be settled, refunded or disputed.</p>`}
    <ul class="list">${payments.map((payment) => onePayment(view, payment))}</ul>
  </section>`;
}

function onePayment(view: ControlView, payment: PaymentIntentRecord): Html {
  const { context } = view;
  const charge = payment.latest_charge === null ? null : getRecord(context, 'charge', payment.latest_charge);
  return html`<li class="tight" style="padding: 8px 0">
    <div class="row" style="justify-content: space-between; align-items: center">
      <span><span class="numbers">${formatMoney(payment.amount, payment.currency)}</span> ${statusBadge(payment.status)} <span class="quiet small">${payerOf(view, payment, charge)}</span></span>
      <span class="quiet small">${formatTime(payment.created)}</span>
    </div>
    <span class="quiet small mono">${payment.id}</span>
    ${payment.status === 'processing' && bankButtons(view, 'answer-payment', { payment: payment.id }, 'payment')}
    ${payment.status === 'succeeded' && charge !== null && chargeControls(view, charge)}
  </li>`;
}

function payerOf(
  { context }: ControlView,
  { customer }: PaymentIntentRecord,
  charge: ChargeRecord | null,
): string {
  const known =
    customer === null ? undefined : context.emulator.objects.find(context.scope, 'customer', customer);
  return known ? nameOf(known) : (charge?.email ?? 'nobody yet');
}

function bankButtons(
  view: ControlView,
  action: string,
  fields: Record<string, string>,
  what: 'payment' | 'refund',
): Html {
  return actionForm(
    view,
    action,
    fields,
    html`<button name="answer" value="succeed">Settle the ${what}</button>
      <button name="answer" value="fail" class="danger">Let the bank return it</button>`,
  );
}

function chargeControls(view: ControlView, charge: ChargeRecord): Html {
  const { context } = view;
  const { objects } = context.emulator;
  const left = charge.amount - charge.amount_refunded;
  const refunds = objects.all(context.scope, 'refund', { parent: charge.id });
  const dispute = charge.dispute === null ? null : getRecord(context, 'dispute', charge.dispute);
  const isRefundable = left > 0 && (dispute === null || dispute.status === 'won');
  return html`${refunds.map((refund) => oneRefund(view, refund))}
    ${dispute !== null && oneDispute(view, dispute)}
    ${
      isRefundable &&
      html`<div class="row">
        ${actionForm(
          view,
          'refund',
          { charge: charge.id },
          html`<label>Amount to refund<input name="amount" inputmode="decimal" value="${majorOf(left, charge.currency)}"></label><button>Refund</button>`,
        )}
        ${dispute === null && actionForm(view, 'dispute', { charge: charge.id }, html`<button class="danger">Dispute</button>`)}
      </div>`
    }`;
}

/** `15.00`, without the currency. */
function majorOf(minor: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return (minor / 10 ** decimals).toFixed(decimals);
}

function oneRefund(view: ControlView, refund: RefundRecord): Html {
  const words = html`<span class="small">${statusBadge(refund.status)} <span class="quiet">refund of ${formatMoney(refund.amount, refund.currency)}</span></span>`;
  if (refund.status !== 'pending') return words;
  return html`${words}${bankButtons(view, 'answer-refund', { refund: refund.id }, 'refund')}`;
}

function oneDispute(view: ControlView, dispute: DisputeRecord): Html {
  const words = html`<span class="small">${statusBadge(dispute.status)} <span class="quiet">dispute of ${formatMoney(dispute.amount, dispute.currency)}</span></span>`;
  if (dispute.status === 'won' || dispute.status === 'lost') return words;
  return html`${words}${actionForm(
    view,
    'end-dispute',
    { dispute: dispute.id },
    html`<button name="outcome" value="won">Win the dispute</button>
      <button name="outcome" value="lost" class="danger">Lose it</button>`,
  )}`;
}
