/** Opens the command palette on Ctrl/Cmd+K. Its code loads on first use. */
import { useCallback, useEffect, useState } from 'react';

export interface PaletteRequests {
  /** Number of times it was requested. 0 means not loaded yet. */
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
