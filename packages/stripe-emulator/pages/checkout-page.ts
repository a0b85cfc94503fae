// The checkout page: pay by card or bank debit, or decline, without card details; and enter a promotion code.
import { type Context, contextOf, type Emulator } from '../core/emulator.ts';
import { StripeError } from '../core/stripe-error.ts';
import { amountsOf, type CheckoutAmounts, type LineAmounts } from '../resources/checkout-lines.ts';
import { enterPromotionCode } from '../resources/checkout-sessions.ts';
import { getRecord } from '../resources/list-page.ts';
import { declineCheckout, payCheckoutSession } from '../resources/pay-checkout.ts';
import { delayedMethods } from '../resources/payment-methods.ts';
import { inTransaction } from '../store/open-database.ts';
import type { DelayedMethod } from '../store/payment-records.ts';
import type { CheckoutSessionRecord } from '../store/records.ts';
import { type Html, html } from './html.ts';
import { mark, notice, type PageAnswer, type PageRequest, page, redirect } from './layout.ts';
import { formatDay, formatMoney, formatPrice, formatTerms } from './money.ts';

/** Handles `/checkout/<account>/<session>`, and `/pay`, `/decline` and `/promotion` below it. */
export function checkoutPage(emulator: Emulator, request: PageRequest): PageAnswer {
  const [, , accountId = '', id = '', action] = request.path.split('/');
  const account = emulator.accounts.find(accountId);
  const context = account && contextOf(emulator, account, id.startsWith('cs_live_'));
  const session = context && emulator.objects.find(context.scope, 'checkout.session', id);
  if (!context || !session) return notice(404, 'No such checkout', 'There is no checkout at this URL.');
  if (session.status === 'complete') {
    return session.payment_status === 'unpaid'
      ? notice(
          410,
          'Payment on its way',
          'This checkout is complete. The bank has not confirmed the payment yet.',
        )
      : notice(410, 'Already paid', 'This checkout is complete. There is nothing left to do here.');
  }
  if (session.status === 'expired' || session.expires_at <= context.now) {
    return notice(410, 'Checkout expired', 'This checkout has expired. Please go back and begin again.');
  }
  if (request.method !== 'POST') return showCheckout(context, session);
  if (action === 'promotion') return changeCode(context, session, request.form);
  if (action === 'decline') {
    inTransaction(emulator.database, () => declineCheckout(context, session));
    return showCheckout(context, session, {
      problem: 'Your card was declined. Try another payment method.',
      status: 402,
    });
  }
  return pay(context, session, request.form);
}

function pay(context: Context, session: CheckoutSessionRecord, form: URLSearchParams): PageAnswer {
  const email = form.get('email')?.trim() ?? '';
  if (session.customer === null && !/^\S+@\S+$/.test(email)) {
    return showCheckout(context, session, { problem: 'Please enter an email address.', status: 400 });
  }
  const name = form.get('name')?.trim() ?? '';
  const [first = 'card'] = methodsOf(session);
  const wanted = form.get('method') ?? first;
  if (!methodsOf(session).includes(wanted)) {
    return showCheckout(context, session, { problem: 'Please choose a payment method.', status: 400 });
  }
  const method = delayedMethods.find((each) => each === wanted);
  const payer = { email, name, ...(method === undefined ? {} : { method }) };
  return redirect(
    inTransaction(context.emulator.database, () => payCheckoutSession(context, session, payer)),
  );
}

function changeCode(context: Context, session: CheckoutSessionRecord, form: URLSearchParams): PageAnswer {
  const code = form.get('code')?.trim() ?? '';
  try {
    inTransaction(context.emulator.database, () => enterPromotionCode(context, session, code));
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    return showCheckout(context, session, { codeProblem: error.message, code, status: 400 });
  }
  return redirect(addressOf(context, session));
}

function methodsOf({ payment_method_types: types = ['card'] }: CheckoutSessionRecord): string[] {
  return types;
}

interface Shown {
  problem?: string;
  codeProblem?: string;
  /** The code that was refused. */
  code?: string;
  status?: number;
}

function addressOf(context: Context, session: CheckoutSessionRecord): string {
  return `/checkout/${context.account.id}/${session.id}`;
}

function showCheckout(context: Context, session: CheckoutSessionRecord, shown: Shown = {}): PageAnswer {
  const { problem, status = 200 } = shown;
  return page(
    `Checkout · ${context.account.name}`,
    html`<main class="narrow stack">
      <div class="top">${mark}<h1>${context.account.name}</h1>${
        !context.livemode && html`<span class="badge warn">Test mode</span>`
      }</div>
      ${problem !== undefined && html`<p class="note bad" role="alert">${problem}</p>`}
      ${summary(context, session, shown)}
      ${payment(context, session)}
    </main>`,
    { status },
  );
}

function summary(context: Context, session: CheckoutSessionRecord, shown: Shown): Html {
  const amounts = amountsOf(context, session);
  const currency = currencyOf(session);
  const { mode, trial_period_days: trial } = session;
  return html`<section class="card tight">
    <h2>${mode === 'payment' ? 'Your order' : 'Your subscription'}</h2>
    <table><tbody>${amounts.lines.map((line) => showLine(context, session, line))}</tbody></table>
    ${
      trial !== null &&
      html`<p class="quiet">Free for ${trial} days, until ${formatDay(context.now + trial * 86_400)}.</p>`
    }
    ${discountLines(context, session, amounts)}
    ${session.allow_promotion_codes && !session.discounts?.length && codeForm(context, session, shown)}
    <p class="total"><span>${mode === 'payment' ? 'Total' : 'Due today'}</span><span class="numbers">${formatMoney(amounts.total, currency)}</span></p>
  </section>`;
}

function showLine(context: Context, session: CheckoutSessionRecord, { line, subtotal }: LineAmounts): Html {
  const price = getRecord(context, 'price', line.price);
  const { name } = getRecord(context, 'product', price.product);
  const quantity = line.quantity ?? 1;
  const isPriceShown = price.recurring !== null || quantity > 1;
  return html`<tr>
    <td>${name}${quantity > 1 && html` × ${quantity}`}${
      isPriceShown &&
      html`<br><span class="quiet small">${formatPrice(price)}${price.recurring === null && ' each'}</span>`
    }</td>
    <td class="numbers">${
      price.recurring?.usage_type === 'metered'
        ? html`<span class="quiet">by use</span>`
        : formatMoney(subtotal, currencyOf(session))
    }</td>
  </tr>`;
}

function discountLines(
  context: Context,
  session: CheckoutSessionRecord,
  { discount, subtotal }: CheckoutAmounts,
): Html | null {
  const [applied] = session.discounts ?? [];
  if (applied === undefined) return null;
  const currency = currencyOf(session);
  const { coupon, promotion_code: codeId, terms } = applied;
  const code = codeId === null ? null : getRecord(context, 'promotion_code', codeId).code;
  const name = context.emulator.objects.find(context.scope, 'coupon', coupon)?.name ?? coupon;
  return html`<div class="sum">
    <p><span>Subtotal</span><span class="numbers">${formatMoney(subtotal, currency)}</span></p>
    <div><span>${code === null ? name : html`<code>${code}</code>`} <span class="quiet small">${formatTerms(terms)}</span>${
      session.allow_promotion_codes &&
      html`<form method="post" action="${addressOf(context, session)}/promotion"><button class="plain small" aria-label="Remove the promotion code">Remove</button></form>`
    }</span><span class="numbers">−${formatMoney(discount, currency)}</span></div>
  </div>`;
}

function codeForm(context: Context, session: CheckoutSessionRecord, { code = '', codeProblem }: Shown): Html {
  return html`<form class="tight" method="post" action="${addressOf(context, session)}/promotion">
    <div class="row">
      <label>Promotion code<input name="code" value="${code}" autocapitalize="characters" autocomplete="off" spellcheck="false" required${
        codeProblem !== undefined && html` aria-invalid="true" aria-describedby="code-problem"`
      }></label>
      <button>Apply</button>
    </div>
    ${codeProblem !== undefined && html`<p class="small bad" id="code-problem" role="alert">${codeProblem}</p>`}
  </form>`;
}

const methodNames: Record<DelayedMethod, string> = {
  bacs_debit: 'Bacs Direct Debit',
  sepa_debit: 'SEPA Direct Debit',
  us_bank_account: 'US bank account',
};

function payment(context: Context, session: CheckoutSessionRecord): Html {
  const due = amountsOf(context, session).total;
  const customer = session.customer === null ? null : getRecord(context, 'customer', session.customer);
  const email = customer?.email ?? session.customer_email ?? '';
  const isCollected =
    due > 0 || (session.mode !== 'payment' && session.payment_method_collection !== 'if_required');
  const methods = methodsOf(session);
  const hasDelayed = methods.some((each) => each !== 'card');
  const action = addressOf(context, session);
  const pay = session.mode === 'payment' ? 'Complete order' : 'Subscribe';
  return html`<form class="card tight" method="post" action="${action}/pay">
    <h2>${isCollected ? 'Pay with' : 'Your details'}</h2>
    ${isCollected && methodChoice(methods)}
    ${
      customer
        ? html`<p class="quiet">${customer.email ?? customer.name ?? customer.id}</p>`
        : html`<label>Email<input name="email" type="email" value="${email}" autocomplete="email" required></label>
          <label>Name<input name="name" autocomplete="name"></label>`
    }
    <p class="quiet small">This is the Stripe emulator: nothing is charged.${
      hasDelayed &&
      due > 0 &&
      html` A bank debit stays unpaid until you settle it on the <a href="${controlAddress(context)}">control page</a>.`
    }</p>
    <button class="primary wide">${due > 0 ? `Pay ${formatMoney(due, currencyOf(session))}` : pay}</button>
    ${isCollected && methods.includes('card') && html`<button class="wide" formaction="${action}/decline" formnovalidate>Pay with a card that is declined</button>`}
    ${session.cancel_url !== null && html`<a class="button wide" href="${session.cancel_url}">Cancel</a>`}
  </form>`;
}

function methodChoice(methods: readonly string[]): Html {
  if (methods.length === 1) return html`<p>${methodName(methods[0] ?? 'card')}</p>`;
  return html`<fieldset class="choice">
    <legend>Payment method</legend>
    ${methods.map(
      (each, index) =>
        html`<label><input type="radio" name="method" value="${each}"${index === 0 && html` checked`}><span>${methodName(each)}</span></label>`,
    )}
  </fieldset>`;
}

function methodName(type: string): Html {
  const delayed = delayedMethods.find((each) => each === type);
  return delayed === undefined
    ? html`Card <span class="quiet">4242 4242 4242 4242</span>`
    : html`${methodNames[delayed]} <span class="quiet">confirmed later</span>`;
}

function controlAddress({ account, livemode }: Context): string {
  return `/?account=${account.id}${livemode ? '&mode=live' : ''}#payments`;
}

function currencyOf(session: CheckoutSessionRecord): string {
  return session.currency ?? 'gbp';
}
