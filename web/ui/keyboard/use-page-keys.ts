/** Keys that work anywhere on a page, by the name of the key. Text fields, buttons, menus and sliders keep their own. */
import { pressedKey, useKeyDown } from './keys.ts';

const OWN_KEYS =
  'input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=dialog][aria-modal=true]';
/** What scrolls or moves by arrow keys. */
const OWN_ARROWS = '[role=slider], [role=tablist], [role=tree], [role=radiogroup], [data-scrolls]';
/** What Space presses or scrolls. */
const OWN_SPACE = 'button, [role=button], [role=dialog]';

export function usePageKeys(commands: Readonly<Record<string, () => void>>): void {
  useKeyDown((event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = pressedKey(event);
    const run = Object.hasOwn(commands, key) ? commands[key] : undefined;
    if (run === undefined) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest(OWN_KEYS)) return;
    if (key.startsWith('Arrow') && target?.closest(OWN_ARROWS)) return;
    if (key === ' ' && (event.repeat || target?.closest(OWN_SPACE))) return;
    event.preventDefault();
    run();
  });
}
