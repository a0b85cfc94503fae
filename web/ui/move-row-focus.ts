/** Arrow keys, Home and End move the focus between the rows' links of a table. */
import type { KeyboardEvent } from 'react';

/** For the element that contains the rows. A row's link has the attribute `data-row`. */
export function moveRowFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>('a[data-row]')];
  const current = links.indexOf(event.target as HTMLAnchorElement);
  if (current === -1) return;
  const target = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: links.length - 1 }[event.key];
  const link = target === undefined ? undefined : links[target];
  if (link === undefined) return;
  event.preventDefault();
  link.focus();
}
