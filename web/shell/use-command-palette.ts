/**
 * Opens the command palette on Ctrl/Cmd+K, and the list of shortcuts on `?`. Its code loads on first use; what is typed until its field has the focus is kept
 * for it.
 */
import { useCallback, useEffect, useRef, useState } from 'react';

export interface PaletteRequests {
  /** Number of times it was requested. 0 means not loaded yet. */
  readonly count: number;
  readonly open: () => void;
  /** Number of times that `?` was pressed outside of a field. 0 means never. */
  readonly shortcutsAsked: number;
  readonly askForShortcuts: () => void;
  /** Called when the palette's field gets the focus. Returns what was typed since the request. */
  readonly takeTyped: () => string;
}

export function useCommandPalette(): PaletteRequests {
  const [count, setCount] = useState(0);
  const [shortcutsAsked, setShortcutsAsked] = useState(0);
  /** Null unless the palette is opening. */
  const typed = useRef<string | null>(null);
  const open = useCallback(() => {
    typed.current ??= '';
    setCount((before) => before + 1);
  }, []);
  const takeTyped = useCallback(() => {
    const text = typed.current ?? '';
    typed.current = null;
    return text;
  }, []);
  const askForShortcuts = useCallback(() => setShortcutsAsked((before) => before + 1), []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const hasModifier = event.ctrlKey || event.metaKey;
      if (hasModifier && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        open();
      } else if (event.key === '?' && typed.current === null && !hasModifier && !isTyping(event.target)) {
        askForShortcuts();
      } else if (typed.current !== null && !hasModifier) {
        if (event.key === 'Escape') typed.current = null;
        else if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1);
        else if (event.key.length === 1) typed.current += event.key;
        else return;
        event.preventDefault();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [open, askForShortcuts]);
  return { count, open, takeTyped, shortcutsAsked, askForShortcuts };
}

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
