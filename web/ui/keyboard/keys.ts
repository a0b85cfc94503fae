/** Which key an event is about, whatever the keyboard's layout, and keys that belong to an input method. */
import { useEffect, useEffectEvent } from 'react';

export const isApple = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent);

type Pressed = Pick<KeyboardEvent, 'key' | 'code'>;

/**
 * The event's key; where the layout writes another script, such as Cyrillic or Greek, the letter that a Latin layout has there.
 * Lower case, because Shift and Caps Lock change no shortcut.
 */
export function pressedKey({ key, code }: Pressed): string {
  if (key.length !== 1) return key;
  if (/\P{L}|\p{Script=Latin}/u.test(key)) return key.toLowerCase();
  return code === 'Slash' ? '/' : (/^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? key);
}

/** Whether the event is Ctrl or Cmd with the letter, and without other modifiers. */
export function isShortcut(
  event: Pressed & Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>,
  letter: string,
): boolean {
  return (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && pressedKey(event) === letter;
}

/** Runs on Ctrl or Cmd with the letter, wherever the focus is. */
export function useShortcut(letter: string, run: () => void): void {
  useKeyDown((event) => {
    if (!isShortcut(event, letter)) return;
    event.preventDefault();
    run();
  });
}

/** An effect event: `run` is that of the page that is shown, even for a key that comes right after a change. */
export function useKeyDown(run: (event: KeyboardEvent) => void): void {
  const onKeyDown = useEffectEvent(run);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

/**
 * No handler receives the keys of an input method: its Enter confirms a character and its Escape discards one. Call before
 * anything else listens. Safari ends the composition before the key that ends it, which has the code 229 there. The code
 * editor has its own handling.
 */
export function withholdComposingKeys(page: EventTarget): void {
  const withhold = (event: Event) => {
    const { isComposing, keyCode, target } = event as KeyboardEvent;
    if (!isComposing && keyCode !== COMPOSING) return;
    if (target instanceof Element && target.closest('.monaco-editor') !== null) return;
    event.stopImmediatePropagation();
  };
  page.addEventListener('keydown', withhold, { capture: true });
}

const COMPOSING = 229;
