/** Copies text to the clipboard. `isCopied` is true for two seconds afterwards, as long as the text is the same. */
import { useEffect, useRef, useState } from 'react';
import { copyText } from './copy-text.ts';

/** How long 'Copied!' is shown. */
export const COPIED_MS = 2000;

export function useCopied(value: string): { isCopied: boolean; copy: () => void } {
  const [copied, setCopied] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    if (!(await copyText(value))) return setCopied(null);
    setCopied(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(null), COPIED_MS);
  };
  return { isCopied: copied === value, copy: () => void copy() };
}
