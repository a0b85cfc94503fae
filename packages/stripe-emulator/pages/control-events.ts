// Events on the control page, with deliveries, endpoints and metered usage.
import { billedUsage } from '../control/billed-usage.ts';
import type { EventRecord } from '../store/records.ts';
import type { Delivery } from '../webhooks/delivery-store.ts';
import { actionForm, type ControlView } from './control-view.ts';
import { type Html, html } from './html.ts';
import { formatMoney, formatTime } from './money.ts';
import { statusBadge } from './status-badge.ts';

const shownEvents = 15;

/** The page's script refreshes `#events` every two seconds. */
export function eventList(view: ControlView): Html {
  const { context } = view;
  const page = context.emulator.objects.page(context.scope, 'event', { limit: shownEvents });
  const events = page?.items ?? [];
  return html`<section class="card" id="events">
    <header><h2>Events</h2>${events.length > 0 && html`<span class="quiet small">the latest ${events.length}, as they happen</span>`}</header>
    ${events.length === 0 && html`<p class="quiet">Nothing has happened yet.</p>`}
    <ul class="list">${events.map((event) => oneEvent(view, event))}</ul>
  </section>`;
}

function oneEvent(view: ControlView, event: EventRecord): Html {
  const { context } = view;
  const deliveries = context.emulator.deliveries.list({ accountId: context.account.id, eventId: event.id });
  return html`<li class="tight" style="padding: 8px 0">
    <div class="row" style="justify-content: space-between; align-items: center">
      <span><code>${event.type}</code> <span class="quiet small">${subjectOf(view, event)}</span></span>
      ${actionForm(view, 'resend', { event: event.id }, html`<button class="small">Send again</button>`)}
    </div>
    <span class="quiet small">${formatTime(event.created)} · <span class="mono">${event.id}</span></span>
    ${deliveries.map(oneDelivery)}
  </li>`;
}

function oneDelivery({ status, attempts, dueAt }: Delivery): Html {
  const last = attempts.at(-1);
  const answer = last && (last.status === null ? (last.error ?? 'no answer') : `answered ${last.status}`);
  const tries = attempts.length > 1 ? `, ${attempts.length} attempts` : '';
  const next =
    status === 'pending' && dueAt !== null ? `next try ${formatTime(Math.ceil(dueAt / 1000))}` : '';
  return html`<span class="small">${statusBadge(status)} <span class="quiet">${[
    answer === undefined ? '' : `${answer}${tries}`,
    next,
  ]
    .filter(Boolean)
    .join(' · ')}</span></span>`;
}

/** Short label for the event's subject. */
function subjectOf({ context }: ControlView, { object }: EventRecord): string {
  const { email, customer_email, name, id } = object;
  const customer =
    typeof object.customer === 'string'
      ? context.emulator.objects.find(context.scope, 'customer', object.customer)
      : undefined;
  return String(email ?? customer_email ?? customer?.email ?? name ?? object.customer ?? id ?? '');
}

export function endpointList({ context }: ControlView): Html {
  const endpoints = context.emulator.objects.all(context.scope, 'webhook_endpoint');
  return html`<section class="card tight">
    <h2>Webhook endpoints</h2>
    ${
      endpoints.length === 0 &&
      html`<p class="quiet">None in this mode. Connect this account in Tessera to create one.</p>`
    }
    <ul class="list">${endpoints.map(
      ({ url, status, enabled_events }) => html`<li class="tight" style="padding: 8px 0">
        <code>${url}</code>
        <span class="small">${statusBadge(status)} <span class="quiet">${
          enabled_events.includes('*') ? 'all events' : `${enabled_events.length} types of events`
        }</span></span>
      </li>`,
    )}</ul>
  </section>`;
}

/** Empty if the account has no meters. */
export function usageTable({ context }: ControlView): Html | null {
  if (context.emulator.objects.count(context.scope, 'billing.meter') === 0) return null;
  const rows = billedUsage(context, null).slice(0, 20);
  return html`<section class="card tight">
    <h2>Metered usage</h2>
    ${rows.length === 0 && html`<p class="quiet">No meter events yet.</p>`}
    ${
      rows.length > 0 &&
      html`<div class="scroll"><table>
        <thead><tr><th>Month</th><th>Customer</th><th class="numbers">Units</th><th class="numbers">Costs</th></tr></thead>
        <tbody>${rows.map(
          (row) => html`<tr>
            <td>${row.month}</td>
            <td><code>${row.customer}</code></td>
            <td class="numbers">${row.units.toLocaleString('en-GB')}</td>
            <td class="numbers">${row.amountMinor === null ? '' : formatMoney(row.amountMinor, row.currency ?? 'gbp')}</td>
          </tr>`,
        )}</tbody>
      </table></div>`
    }
  </section>`;
}
