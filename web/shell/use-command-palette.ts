/**
 * Opens and closes the command palette on Ctrl/Cmd+K, and opens the list of shortcuts on `?`. Their code loads on first use; what is
 * typed until the palette's field has the focus is kept for it.
 */
import { useCallback, useRef, useState } from 'react';
import { isShortcut, useKeyDown } from '#web/ui/keyboard/keys.ts';

/** The id of the palette's field. What is typed there goes there. */
export const PALETTE_FIELD = 'palette-search';

export interface PaletteRequests {
  readonly isOpen: boolean;
  readonly open: () => void;
  /** Also when its code could not be loaded. */
  readonly close: () => void;
  readonly isShowingShortcuts: boolean;
  readonly showShortcuts: () => void;
  readonly hideShortcuts: () => void;
  /** Called when the palette's field gets the focus. Returns what was typed since the request. */
  readonly takeTyped: () => string;
}

export function useCommandPalette(): PaletteRequests {
  const [isOpen, setIsOpen] = useState(false);
  const [isShowingShortcuts, setIsShowingShortcuts] = useState(false);
  /** Null unless the palette is opening. */
  const typed = useRef<string | null>(null);
  const open = useCallback(() => {
    typed.current ??= '';
    setIsOpen(true);
  }, []);
  const close = useCallback(() => {
    typed.current = null;
    setIsOpen(false);
  }, []);
  const takeTyped = useCallback(() => {
    const text = typed.current ?? '';
    typed.current = null;
    return text;
  }, []);
  const showShortcuts = useCallback(() => setIsShowingShortcuts(true), []);
  const hideShortcuts = useCallback(() => setIsShowingShortcuts(false), []);
  useKeyDown((event) => {
    const hasModifier = event.ctrlKey || event.metaKey;
    if (isShortcut(event, 'k')) {
      event.preventDefault();
      if (!event.repeat) (isOpen ? close : open)();
    } else if (event.key === '?' && typed.current === null && !hasModifier && !isTyping(event.target)) {
      showShortcuts();
    } else if (typed.current !== null && !hasModifier && !isPaletteField(event.target)) {
      if (event.key === 'Escape') close();
      else if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1);
      else if (event.key.length === 1) typed.current += event.key;
      else return;
      event.preventDefault();
    }
  });
  return { isOpen, open, close, takeTyped, isShowingShortcuts, showShortcuts, hideShortcuts };
}

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;

const isPaletteField = (target: EventTarget | null) =>
  target instanceof Element && target.id === PALETTE_FIELD;
