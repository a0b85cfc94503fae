// The checkout page: pay or decline, without card details.
import { type Context, contextOf, type Emulator } from '../core/emulator.ts';
import { amountDue, amountOf } from '../resources/checkout-lines.ts';
import { payCheckoutSession } from '../resources/checkout-sessions.ts';
import { getRecord } from '../resources/list-page.ts';
import { inTransaction } from '../store/open-database.ts';
import type { CheckoutSessionRecord } from '../store/records.ts';
import type { PageRequest } from './handle-page.ts';
import { html } from './html.ts';
import { mark, notice, type PageAnswer, page, redirect } from './layout.ts';
import { formatDay, formatMoney, formatPrice } from './money.ts';

/** Handles `/checkout/<account>/<session>`, and `/pay` and `/decline` below it. */
export function checkoutPage(emulator: Emulator, request: PageRequest): PageAnswer {
  const [, , accountId = '', id = '', action] = request.path.split('/');
  const account = emulator.accounts.find(accountId);
  const context = account && contextOf(emulator, account, id.startsWith('cs_live_'));
  const session = context && emulator.objects.find(context.scope, 'checkout.session', id);
  if (!context || !session) return notice(404, 'No such checkout', 'There is no checkout at this URL.');
  if (session.status === 'complete') {
    return notice(410, 'Already paid', 'This checkout is complete. There is nothing left to do here.');
  }
  if (session.status === 'expired' || session.expires_at <= context.now) {
    return notice(410, 'Checkout expired', 'This checkout has expired. Please go back and begin again.');
  }
  if (request.method !== 'POST') return showCheckout(context, session, null);
  if (action === 'decline') {
    return showCheckout(context, session, 'Your card was declined. Try another card.', 402);
  }
  const email = request.form.get('email')?.trim() ?? '';
  if (session.customer === null && !/^\S+@\S+$/.test(email)) {
    return showCheckout(context, session, 'Please enter an email address.', 400);
  }
  const name = request.form.get('name')?.trim() ?? '';
  const next = inTransaction(emulator.database, () => payCheckoutSession(context, session, { email, name }));
  return redirect(next);
}

function showCheckout(
  context: Context,
  session: CheckoutSessionRecord,
  problem: string | null,
  status = 200,
): PageAnswer {
  const due = amountDue(context, session);
  const currency = session.currency ?? 'gbp';
  const customer = session.customer === null ? null : getRecord(context, 'customer', session.customer);
  const email = customer?.email ?? session.customer_email ?? '';
  const address = `/checkout/${context.account.id}/${session.id}`;
  const lines = session.lines.map((line) => {
    const price = getRecord(context, 'price', line.price);
    const { name } = getRecord(context, 'product', price.product);
    const quantity = line.quantity ?? 1;
    return html`<tr>
      <td>${name}${quantity > 1 && html` × ${quantity}`}<br><span class="quiet small">${formatPrice(price)}</span></td>
      <td class="numbers">${
        price.recurring?.usage_type === 'metered'
          ? html`<span class="quiet">by use</span>`
          : formatMoney(amountOf(context, line), currency)
      }</td>
    </tr>`;
  });
  const trial = session.trial_period_days;
  return page(
    `Checkout · ${context.account.name}`,
    html`<main class="narrow stack">
      <div class="top">${mark}<h1>${context.account.name}</h1>${
        !context.livemode && html`<span class="badge warn">Test mode</span>`
      }</div>
      ${problem !== null && html`<p class="note bad" role="alert">${problem}</p>`}
      <section class="card tight">
        <h2>Your subscription</h2>
        <table><tbody>${lines}</tbody></table>
        ${
          trial !== null &&
          html`<p class="quiet">Free for ${trial} days, until ${formatDay(context.now + trial * 86_400)}.</p>`
        }
        <p class="total"><span>Due today</span><span class="numbers">${formatMoney(due, currency)}</span></p>
      </section>
      <form class="card tight" method="post" action="${address}/pay">
        <h2>Pay with card</h2>
        ${
          customer
            ? html`<p class="quiet">${customer.email ?? customer.name ?? customer.id}</p>`
            : html`<label>Email<input name="email" type="email" value="${email}" autocomplete="email" required></label>
              <label>Name on card<input name="name" autocomplete="name"></label>`
        }
        <p class="quiet small">This is the Stripe emulator. It uses card 4242 4242 4242 4242, and nothing is charged.</p>
        <button class="primary wide">Pay ${formatMoney(due, currency)}</button>
        <button class="wide" formaction="${address}/decline" formnovalidate>Pay with a card that is declined</button>
        ${session.cancel_url !== null && html`<a class="button wide" href="${session.cancel_url}">Cancel</a>`}
      </form>
    </main>`,
    { status },
  );
}
