/** Asks for the command palette on Ctrl or Cmd with K; its code is loaded when it is first asked for. */
import { useCallback, useEffect, useState } from 'react';

export interface PaletteRequests {
  /** How often it was asked for; 0: never yet. */
  readonly count: number;
  readonly open: () => void;
}

export function useCommandPalette(): PaletteRequests {
  const [count, setCount] = useState(0);
  const open = useCallback(() => setCount((before) => before + 1), []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!isShortcut || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [open]);
  return { count, open };
}
