// Customers on the control page: the list with search, and the selected customer with its actions.
import { getRecord } from '../resources/list-page.ts';
import { endedStatuses } from '../resources/subscription-record.ts';
import type { CustomerRecord, PriceRecord, SubscriptionRecord } from '../store/records.ts';
import { nameOf } from './control-actions.ts';
import { actionForm, addressOf, type ControlView } from './control-view.ts';
import { type Html, html } from './html.ts';
import { formatDay, formatPrice } from './money.ts';
import { statusBadge } from './status-badge.ts';

const perPage = 12;

export function customerList(view: ControlView): Html {
  const { context, search, pageNumber, customer: chosen } = view;
  const { objects } = context.emulator;
  const offset = pageNumber * perPage;
  const found = objects.searchCustomers(context.scope, search, perPage + 1, offset);
  const shown = found.slice(0, perPage);
  const total = objects.count(context.scope, 'customer');
  return html`<section class="card">
    <header><h2>Customers</h2><span class="quiet small">${total.toLocaleString('en-GB')} in ${modeWord(view)} mode</span></header>
    <form class="row" method="get" role="search">
      <input type="hidden" name="account" value="${context.account.id}">
      ${context.livemode && html`<input type="hidden" name="mode" value="live">`}
      <label>Email, name or ID<input type="search" name="q" value="${search}"></label>
      <button>Search</button>
    </form>
    <ul class="list">${shown.map((each) => entry(view, each, each.id === chosen?.id))}</ul>
    ${shown.length === 0 && html`<p class="quiet">No customers match.</p>`}
    <p class="row">
      ${pageNumber > 0 && html`<a class="button" href="${addressOf(view, { p: String(pageNumber - 1) })}">Newer</a>`}
      ${found.length > perPage && html`<a class="button" href="${addressOf(view, { p: String(pageNumber + 1) })}">Older</a>`}
    </p>
    <details>
      <summary>Create a customer</summary>
      ${actionForm(
        view,
        'create-customer',
        {},
        html`<label>Email<input name="email" type="email" placeholder="ada@customers.example"></label>
          <label>Name<input name="name"></label>
          <label>Subscribes to<select name="price"><option value="">nothing yet</option>${priceOptions(view, null)}</select></label>
          <button class="primary">Create customer</button>`,
      )}
    </details>
  </section>`;
}

function entry(view: ControlView, customer: CustomerRecord, isChosen: boolean): Html {
  const current = subscriptionsOf(view, customer.id).find(({ status }) => !endedStatuses.includes(status));
  return html`<li><a class="entry" href="${addressOf(view, { customer: customer.id })}#customer"${
    isChosen && html` aria-current="true"`
  }>
    <span>${nameOf(customer)}</span>${statusBadge(current?.status ?? null)}
    <span class="quiet small">${customer.email ?? 'no email'}</span><span></span>
  </a></li>`;
}

export function chosenCustomer(view: ControlView): Html {
  const { customer } = view;
  if (customer === null) {
    return html`<section class="card tight">
      <h2>No customer chosen</h2>
      <p class="quiet">Choose one to subscribe them, change their plan, let a payment fail, cancel or delete. Every change
      becomes an event and goes to the webhook endpoints.</p>
    </section>`;
  }
  const subscriptions = subscriptionsOf(view, customer.id);
  return html`<section class="card stack" id="customer">
    <header><h2>${nameOf(customer)}</h2><code>${customer.id}</code></header>
    ${actionForm(
      view,
      'change-customer',
      { customer: customer.id },
      html`<label>Email<input name="email" type="email" value="${customer.email}"></label>
        <label>Name<input name="name" value="${customer.name}"></label>
        <button>Save</button>`,
    )}
    ${subscriptions.map((subscription) => oneSubscription(view, subscription))}
    <div class="tight">
      <h3>New subscription</h3>
      ${actionForm(
        view,
        'subscribe',
        { customer: customer.id },
        html`<label>Product<select name="price" required>${priceOptions(view, null)}</select></label>
          ${quantityField(1)}
          <label>Days of trial<input name="trial" type="number" min="0" max="730" value="0"></label>
          <button class="primary">Subscribe</button>`,
      )}
    </div>
    ${actionForm(
      view,
      'delete-customer',
      { customer: customer.id },
      html`<button class="danger">Delete ${nameOf(customer)}</button>`,
    )}
  </section>`;
}

function oneSubscription(view: ControlView, subscription: SubscriptionRecord): Html {
  const { context } = view;
  const items = subscription.items.map((item) => {
    const price = getRecord(context, 'price', item.price);
    const { name } = getRecord(context, 'product', price.product);
    const times = item.quantity !== undefined && item.quantity > 1 ? ` × ${item.quantity}` : '';
    return html`<p>${name}${times} <span class="quiet">${formatPrice(price)}</span></p>`;
  });
  const isEnded = endedStatuses.includes(subscription.status);
  return html`<div class="tight note">
    <p class="row">${statusBadge(subscription.status)} <code>${subscription.id}</code></p>
    ${items}
    <p class="quiet small">${periodWords(subscription)}</p>
    ${!isEnded && subscriptionControls(view, subscription)}
  </div>`;
}

function periodWords(subscription: SubscriptionRecord): string {
  if (subscription.ended_at !== null) return `Ended on ${formatDay(subscription.ended_at)}.`;
  const end = formatDay(subscription.current_period_end);
  if (subscription.cancel_at_period_end) return `Ends on ${end}.`;
  return subscription.status === 'trialing' ? `On trial until ${end}.` : `Renews on ${end}.`;
}

function subscriptionControls(view: ControlView, subscription: SubscriptionRecord): Html {
  const { status, cancel_at_period_end: isEnding } = subscription;
  const button = (change: string, words: string, isDangerous = false) =>
    html`<button name="change" value="${change}"${isDangerous && html` class="danger"`}>${words}</button>`;
  const isOwing = status === 'past_due' || status === 'unpaid';
  const isStopped = isEnding || status === 'paused';
  return html`${subscription.items.map(({ id, price, quantity }) =>
    actionForm(
      view,
      'change-plan',
      { subscription: subscription.id, item: id },
      html`<label>Product<select name="price">${priceOptions(view, price)}</select></label>
        ${quantity !== undefined && quantityField(quantity)}
        <button>Change plan</button>`,
    ),
  )}
  ${actionForm(
    view,
    'add-product',
    { subscription: subscription.id },
    html`<label>Product<select name="price" required>${priceOptions(view, null)}</select></label>
      ${quantityField(1)}
      <button>Add product</button>`,
  )}
  ${actionForm(
    view,
    'change-subscription',
    { subscription: subscription.id },
    html`${isOwing ? button('pay', 'Pay the open invoice') : button('fail-payment', 'Let the payment fail')}
      ${status === 'past_due' && button('mark-unpaid', 'Mark unpaid')}
      ${isStopped ? button('resume', 'Resume') : html`${button('pause', 'Pause')}${button('cancel-at-period-end', 'Cancel at period end')}`}
      ${button('end-period', 'End the period now')}
      ${button('cancel', 'Cancel now', true)}`,
  )}`;
}

function quantityField(quantity: number): Html {
  return html`<label>Quantity<input name="quantity" type="number" min="0" max="999999" value="${quantity}"></label>`;
}

/** Active recurring prices by product, and the selected one even if it is archived. */
function priceOptions({ context }: ControlView, chosen: string | null): Html[] {
  const { objects } = context.emulator;
  const names = new Map(objects.all(context.scope, 'product').map(({ id, name }) => [id, name]));
  const nameOfProduct = (price: PriceRecord) => names.get(price.product) ?? price.product;
  return objects
    .all(context.scope, 'price')
    .filter((price) => price.recurring !== null && (price.active || price.id === chosen))
    .sort((a, b) => a.created - b.created)
    .map(
      (price) =>
        html`<option value="${price.id}"${price.id === chosen && html` selected`}>${nameOfProduct(price)} · ${formatPrice(price)}</option>`,
    );
}

function subscriptionsOf({ context }: ControlView, customer: string): SubscriptionRecord[] {
  return context.emulator.objects.all(context.scope, 'subscription', { parent: customer });
}

function modeWord({ context }: ControlView): string {
  return context.livemode ? 'live' : 'test';
}
