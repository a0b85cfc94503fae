// The billing portal: a customer sees subscriptions, cancels or resumes them, and pays open invoices.
import { type Context, contextOf, type Emulator } from '../core/emulator.ts';
import { getRecord } from '../resources/list-page.ts';
import { cancelAtPeriodEnd, cancelSubscription, subscriptionsOf } from '../resources/subscription-changes.ts';
import { payOpenInvoice } from '../resources/subscription-cycle.ts';
import { inTransaction } from '../store/open-database.ts';
import type { PortalSessionRecord, SubscriptionRecord } from '../store/records.ts';
import { type Html, html } from './html.ts';
import { mark, notice, type PageAnswer, type PageRequest, page, redirect } from './layout.ts';
import { formatDay, formatMoney, formatPrice } from './money.ts';
import { statusBadge } from './status-badge.ts';

const openForSeconds = 86_400;

/** Handles `/portal/<account>/<page>`, and actions on a subscription below it. */
export function portalPage(emulator: Emulator, request: PageRequest): PageAnswer {
  const [, , accountId = '', key = '', action, subscriptionId = ''] = request.path.split('/');
  const account = emulator.accounts.find(accountId);
  const context = account && contextOf(emulator, account, key.startsWith('live_'));
  const [session] = context
    ? emulator.objects.all(context.scope, 'billing_portal.session', { keys: [key] })
    : [];
  if (!context || !session || session.created + openForSeconds < context.now) {
    return notice(404, 'This link has expired', 'Please go back and open the billing portal again.');
  }
  if (request.method !== 'POST') return showPortal(context, session);
  const own = subscriptionsOf(context, session.customer).find(({ id }) => id === subscriptionId);
  if (own) inTransaction(emulator.database, () => act(context, session, own, action ?? ''));
  return redirect(addressOf(context, session));
}

function act(context: Context, session: PortalSessionRecord, own: SubscriptionRecord, action: string): void {
  const { features } = getRecord(context, 'billing_portal.configuration', session.configuration);
  if (action === 'cancel' && features.subscription_cancel.enabled) {
    if (features.subscription_cancel.mode === 'immediately') cancelSubscription(context, own);
    else cancelAtPeriodEnd(context, own, true);
  }
  if (action === 'resume') cancelAtPeriodEnd(context, own, false);
  if (action === 'pay') payOpenInvoice(context, own);
}

function showPortal(context: Context, session: PortalSessionRecord): PageAnswer {
  const customer = getRecord(context, 'customer', session.customer);
  const subscriptions = customer.deleted ? [] : subscriptionsOf(context, customer.id);
  const invoices = context.emulator.objects
    .all(context.scope, 'invoice', { parent: customer.id })
    .slice(0, 12);
  return page(
    `Billing · ${context.account.name}`,
    html`<main class="narrow stack">
      <div class="top">${mark}<h1>${context.account.name}</h1>${
        !context.livemode && html`<span class="badge warn">Test mode</span>`
      }</div>
      ${session.return_url !== null && html`<a href="${session.return_url}">← Return to ${context.account.name}</a>`}
      <p class="quiet">${customer.email ?? customer.name ?? customer.id}</p>
      <section class="card tight">
        <h2>Current subscription</h2>
        ${
          subscriptions.length === 0
            ? html`<p class="quiet">There is no subscription.</p>`
            : subscriptions.map((each) => showSubscription(context, session, each))
        }
      </section>
      <section class="card tight">
        <h2>Invoices</h2>
        ${invoices.length === 0 && html`<p class="quiet">No invoices yet.</p>`}
        <table><tbody>${invoices.map(
          (invoice) => html`<tr>
            <td>${formatDay(invoice.created)}</td>
            <td>${statusBadge(invoice.status)}</td>
            <td class="numbers">${formatMoney(invoice.total, invoice.currency)}</td>
          </tr>`,
        )}</tbody></table>
      </section>
    </main>`,
  );
}

function showSubscription(context: Context, session: PortalSessionRecord, own: SubscriptionRecord): Html {
  const address = addressOf(context, session);
  const { features } = getRecord(context, 'billing_portal.configuration', session.configuration);
  const names = own.items.map((item) => {
    const price = getRecord(context, 'price', item.price);
    const { name } = getRecord(context, 'product', price.product);
    return html`<p>${name} <span class="quiet">${formatPrice(price)}</span></p>`;
  });
  const end = formatDay(own.current_period_end);
  return html`<div class="tight">
    <p>${statusBadge(own.status)}</p>
    ${names}
    <p class="quiet">${own.cancel_at_period_end ? `Ends on ${end}.` : `Renews on ${end}.`}</p>
    <form class="row" method="post">
      ${
        own.status === 'past_due' &&
        html`<button class="primary" formaction="${address}/pay/${own.id}">Pay the open invoice</button>`
      }
      ${
        own.cancel_at_period_end
          ? html`<button class="primary" formaction="${address}/resume/${own.id}">Don’t cancel subscription</button>`
          : features.subscription_cancel.enabled &&
            html`<button class="danger" formaction="${address}/cancel/${own.id}">Cancel subscription</button>`
      }
    </form>
  </div>`;
}

function addressOf(context: Context, session: PortalSessionRecord): string {
  return `/portal/${context.account.id}/${session.page}`;
}
