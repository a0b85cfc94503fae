// The control page: an account's customers with their actions, events and deliveries, and fault injection.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Emulator } from '../core/emulator.ts';
import { StripeError } from '../core/stripe-error.ts';
import { inTransaction } from '../store/open-database.ts';
import { type Act, carryOutAction, type Done } from './control-actions.ts';
import { chosenCustomer, customerList } from './control-customers.ts';
import { endpointList, eventList, usageTable } from './control-events.ts';
import { paymentActions } from './control-payment-actions.ts';
import { checkoutCard, paymentList } from './control-payments.ts';
import { actionForm, addressOf, type ControlView, readView } from './control-view.ts';
import { type Html, html } from './html.ts';
import { mark, notice, type PageAnswer, type PageRequest, page, redirect } from './layout.ts';

const script = readFileSync(join(import.meta.dirname, 'control-page.js'), 'utf8');

export function controlScript(): PageAnswer {
  return { status: 200, headers: { 'content-type': 'text/javascript; charset=utf-8' }, body: script };
}

export function controlPage(emulator: Emulator, { query }: PageRequest): PageAnswer {
  const view = readView(emulator, query);
  if (view === null) return notice(404, 'No accounts', 'This emulator has no accounts yet.');
  const { said, context } = view;
  return page(
    `Stripe emulator · ${context.account.name}`,
    html`<div class="page">
      <header class="top">${mark}<h1>Stripe emulator</h1>${accountTabs(emulator, view)}${modeTabs(view)}</header>
      ${said !== '' && html`<p class="note" role="status" style="margin-bottom: 16px">${said}</p>`}
      <main class="columns">
        <div class="stack">${keysCard(view)}${checkoutCard(view)}${customerList(view)}</div>
        <div class="stack beside">${chosenCustomer(view)}${paymentList(view)}${eventList(view)}${endpointList(view)}${usageTable(view)}</div>
        ${faultsCard(view)}
      </main>
    </div>`,
    { script: '/control-page.js' },
  );
}

/** Handles `POST /act/<name>` with the view in the query, and redirects to the view. */
export function actOnControlPage(emulator: Emulator, { path, query, form }: PageRequest): PageAnswer {
  const view = readView(emulator, query);
  if (view === null) return notice(404, 'No accounts', 'This emulator has no accounts yet.');
  try {
    const name = path.slice('/act/'.length);
    const done = inTransaction(emulator.database, () => carryOut(name, { context: view.context, form }));
    if (done === null) return notice(404, 'Nothing here', 'There is no such action.');
    const { said, customer, location } = done;
    if (location !== undefined) return redirect(location);
    return redirect(addressOf(view, { said, ...(customer === undefined ? {} : { customer }) }));
  } catch (error) {
    if (error instanceof StripeError) return redirect(addressOf(view, { said: error.message }));
    throw error;
  }
}

function carryOut(name: string, act: Act): Done | null {
  const isOfPayments = paymentActions.get(name);
  return isOfPayments === undefined ? carryOutAction(name, act) : isOfPayments(act);
}

function accountTabs(emulator: Emulator, view: ControlView): Html {
  const tabs = emulator.accounts.list().map(({ id, name }) => {
    const isCurrent = id === view.context.account.id;
    const href = addressOf(view, { account: id, customer: null, q: null, p: null });
    return html`<a href="${href}"${isCurrent && html` aria-current="page"`}>${name}</a>`;
  });
  return html`<nav class="tabs" aria-label="Account">${tabs}</nav>`;
}

function modeTabs(view: ControlView): Html {
  const { livemode } = view.context;
  const address = (mode: string | null) => addressOf(view, { mode, customer: null, p: null });
  return html`<nav class="tabs" aria-label="Mode">
    <a href="${address(null)}"${!livemode && html` aria-current="page"`}>Test mode</a>
    <a href="${address('live')}"${livemode && html` aria-current="page"`}>Live mode</a>
  </nav>`;
}

function keysCard({ context }: ControlView): Html {
  const { account, emulator, livemode } = context;
  const keys = emulator.accounts.keysOf(account.id);
  return html`<section class="card tight">
    <header><h2>Keys</h2><code>${account.id}</code></header>
    <p class="quiet small">For Tessera’s “Connect to Stripe”. They only work with this emulator.</p>
    <dl class="facts">
      <dt>Secret</dt><dd><code>${livemode ? keys.liveSecretKey : keys.secretKey}</code></dd>
      <dt>Restricted</dt><dd><code>${livemode ? keys.liveRestrictedKey : keys.restrictedKey}</code></dd>
      <dt>Lacks webhook write</dt><dd><code>${livemode ? keys.liveReadOnlyKey : keys.readOnlyKey}</code></dd>
      <dt>Expired</dt><dd><code>${keys.expiredKey}</code></dd>
    </dl>
  </section>`;
}

function faultsCard(view: ControlView): Html {
  const { emulator, account } = view.context;
  const faults = emulator.faults.of(account.id);
  const isFaulty = emulator.faults.isFaulty(account.id);
  const number = (name: string, words: string, value: number | null) =>
    html`<label>${words}<input name="${name}" type="number" min="0" value="${value ?? 0}"></label>`;
  return html`<section class="card tight">
    <header><h2>Faults</h2>${isFaulty && html`<span class="badge warn">set</span>`}</header>
    <p class="quiet small">For ${account.name}, in both modes, until they have all occurred or are cleared.</p>
    ${actionForm(
      view,
      'set-faults',
      {},
      html`<h3>API</h3>
        <div class="pairs">
          ${number('refuseNext', 'Requests to refuse with 429', faults.refuseNext)}
          ${number('requestsPerSecond', 'Requests per second (0: no limit)', faults.requestsPerSecond)}
          ${number('failNext', 'Requests to fail with 500', faults.failNext)}
          ${number('slowByMs', 'Added latency (ms)', faults.slowByMs)}
        </div>
        <label class="check"><input type="checkbox" name="isDown"${faults.isDown && html` checked`}> Down: break every connection</label>
        <h3>Webhooks</h3>
        <div class="pairs">
          ${number('delayMs', 'Delay (ms)', faults.webhooks.delayMs)}
          ${number('dropNext', 'Deliveries to lose', faults.webhooks.dropNext)}
          ${number('duplicateNext', 'Deliveries to send twice', faults.webhooks.duplicateNext)}
          ${number('reverseNext', 'Deliveries to send in reverse', faults.webhooks.reverseNext)}
        </div>
        <div class="row"><button>Set faults</button></div>`,
      'tight',
    )}
    ${isFaulty && actionForm(view, 'clear-faults', {}, html`<button class="primary">Clear all faults</button>`)}
  </section>`;
}
