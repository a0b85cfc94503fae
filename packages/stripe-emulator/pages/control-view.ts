// The control page's state: account, mode, customer and search. It lives in the URL, so that a page can be bookmarked and
// shared.
import { type Context, contextOf, type Emulator } from '../core/emulator.ts';
import type { CustomerRecord } from '../store/records.ts';
import { type Html, html } from './html.ts';

export interface ControlView {
  context: Context;
  /** Customer search text. */
  search: string;
  /** Zero-based. */
  pageNumber: number;
  customer: CustomerRecord | null;
  /** Message about the last action. */
  said: string;
}

/** Defaults to a demo account rather than Tessera's own. */
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

/** URL of this view with changes; omits null and empty values. */
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

/** A form that posts an action on this view, with hidden `fields`. */
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
