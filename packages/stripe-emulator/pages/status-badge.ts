// A status badge: the status as text, coloured for some statuses.
import { type Html, html } from './html.ts';

const tones = new Map([
  ['active', 'good'],
  ['trialing', 'good'],
  ['paid', 'good'],
  ['complete', 'good'],
  ['delivered', 'good'],
  ['succeeded', 'good'],
  ['won', 'good'],
  ['past_due', 'warn'],
  ['open', 'warn'],
  ['pending', 'warn'],
  ['incomplete', 'warn'],
  ['processing', 'warn'],
  ['needs_response', 'warn'],
  ['under_review', 'warn'],
  ['requires_payment_method', 'warn'],
  ['paused', 'warn'],
  ['unpaid', 'bad'],
  ['failed', 'bad'],
  ['lost', 'bad'],
  ['dropped', 'bad'],
  ['uncollectible', 'bad'],
]);

export function statusBadge(status: string | null): Html {
  const word = status ?? 'none';
  return html`<span class="badge ${tones.get(word) ?? ''}">${word.replaceAll('_', ' ')}</span>`;
}
