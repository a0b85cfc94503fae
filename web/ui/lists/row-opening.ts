/**
 * Makes a whole row do what its link or button does. Ctrl, Cmd, Shift and the middle button open a new tab, as on a link; a click that
 * ends a selection of text opens nothing. Spread over the row: `<tr {...rowOpening}>`.
 */
import type { MouseEvent } from 'react';
import { isApple } from '../keyboard/keys.ts';

const CONTROLS = 'a, button, input, label, select, [role=menu], [role=dialog]';

/** Whether the element contains selected text: the click on it ended the selection. */
export function isSelecting(element: Element): boolean {
  const selection = window.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}

function follow(event: MouseEvent<HTMLElement>): void {
  const { target, currentTarget: row } = event;
  // React's events also come from menus and dialogs that the row renders elsewhere.
  if (event.defaultPrevented || !(target instanceof Element) || !row.contains(target)) return;
  if (target.closest(CONTROLS) !== null || isSelecting(row)) return;
  const isMiddle = event.button === MIDDLE;
  const control = row.querySelector('a[href]') ?? (isMiddle ? null : row.querySelector('button'));
  // A browser gives a click with modifiers on a link its meaning.
  control?.dispatchEvent(
    new window.MouseEvent('click', {
      bubbles: true,
      cancelable: true,
      view: window,
      ctrlKey: event.ctrlKey || (isMiddle && !isApple),
      metaKey: event.metaKey || (isMiddle && isApple),
      shiftKey: event.shiftKey,
    }),
  );
}

const MIDDLE = 1;

export const rowOpening = {
  onClick: follow,
  onAuxClick: (event: MouseEvent<HTMLElement>) => {
    if (event.button === MIDDLE) follow(event);
  },
  onMouseDown: (event: MouseEvent<HTMLElement>) => {
    // It would begin to scroll the page on Windows.
    if (event.button === MIDDLE) event.preventDefault();
  },
} as const;
