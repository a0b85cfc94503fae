/** The tabs of a customer's page, which the parameter `tab` names. */
import type { TabLink } from '#web/ui/page/tab-links.tsx';

const TABS = [
  { id: 'entitlements', label: 'Entitlements' },
  { id: 'members', label: 'Members' },
  { id: 'events', label: 'Events' },
  { id: 'history', label: 'History' },
] as const;

/** An address that names an event opens its tab. */
export function tabOf(params: URLSearchParams): (typeof TABS)[number]['id'] {
  const named = params.get('tab') ?? (params.has('event') ? 'events' : null);
  return TABS.find(({ id }) => id === named)?.id ?? 'entitlements';
}

export function tabsOf(params: URLSearchParams): TabLink[] {
  return TABS.map(({ id, label }) => {
    const changed = new URLSearchParams(params);
    changed.delete('event');
    changed.set('tab', id);
    return { id, label, to: `?${changed}` };
  });
}
