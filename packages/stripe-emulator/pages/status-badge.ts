// A status badge: the status as text, coloured for some statuses.
import { type Html, html } from './html.ts';

const tones = new Map([
  ['active', 'good'],
  ['trialing', 'good'],
  ['paid', 'good'],
  ['complete', 'good'],
  ['delivered', 'good'],
  ['past_due', 'warn'],
  ['open', 'warn'],
  ['pending', 'warn'],
  ['incomplete', 'warn'],
  ['paused', 'warn'],
  ['unpaid', 'bad'],
  ['failed', 'bad'],
  ['dropped', 'bad'],
  ['uncollectible', 'bad'],
]);

export function statusBadge(status: string | null): Html {
  const word = status ?? 'none';
  return html`<span class="badge ${tones.get(word) ?? ''}">${word.replaceAll('_', ' ')}</span>`;
}
