// Where the control page stands: which account and mode, which customer, what was searched for. All of it is in the address,
// so that a page can be kept and shared.
import { type Context, contextOf, type Emulator } from '../emulator.ts';
import type { CustomerRecord } from '../store/records.ts';
import { type Html, html } from './html.ts';

export interface ControlView {
  context: Context;
  /** What customers are searched for. */
  search: string;
  /** From 0. */
  pageNumber: number;
  customer: CustomerRecord | null;
  /** What was just done, in words. */
  said: string;
}

/** The first account that a person would look for is the one of the demo: not Tessera's own. */
export function readView(emulator: Emulator, query: URLSearchParams): ControlView | null {
  const accounts = emulator.accounts.list();
  const account =
    accounts.find(({ id }) => id === query.get('account')) ??
    accounts.find(({ name }) => name === 'Acme Analytics') ??
    accounts[0];
  if (account === undefined) return null;
  const context = contextOf(emulator, account, query.get('mode') === 'live');
  const customerId = query.get('customer');
  const customer = customerId ? emulator.objects.find(context.scope, 'customer', customerId) : undefined;
  return {
    context,
    search: query.get('q') ?? '',
    pageNumber: Math.max(0, Math.trunc(Number(query.get('p') ?? 0)) || 0),
    customer: customer && !customer.deleted ? customer : null,
    said: query.get('said') ?? '',
  };
}

/** The address of this view with something changed; null and empty texts are left out. */
export function addressOf(
  { context, search, pageNumber, customer }: ControlView,
  changes: Record<string, string | null> = {},
): string {
  const parts: Record<string, string | null> = {
    account: context.account.id,
    mode: context.livemode ? 'live' : null,
    q: search,
    p: pageNumber === 0 ? null : String(pageNumber),
    customer: customer?.id ?? null,
    ...changes,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts)) if (value) query.set(name, value);
  return `/?${query}`;
}

/** A form that does something on this view: `action` names it, `fields` go with it unseen. */
export function actionForm(
  view: ControlView,
  action: string,
  fields: Record<string, string>,
  content: Html,
  className = 'row',
): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const [, query = ''] = addressOf(view).split('?');
  return html`<form class="${className}" method="post" action="/act/${action}?${query}">${hidden}${content}</form>`;
}
