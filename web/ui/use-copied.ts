/** Copies text to the clipboard. `isCopied` is true for two seconds afterwards. */
import { useEffect, useRef, useState } from 'react';

/** How long 'Copied!' is shown. */
export const COPIED_MS = 2000;

export function useCopied(value: string): { isCopied: boolean; copy: () => void } {
  const [isCopied, setIsCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setIsCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setIsCopied(false), COPIED_MS);
  };
  return { isCopied, copy: () => void copy().catch(() => setIsCopied(false)) };
}
