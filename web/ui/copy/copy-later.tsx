/**
 * A small button that copies a value which has to be read first. The clipboard gets a promise within the click, because
 * browsers forget the click while the value is on its way.
 */
import { UnstyledButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { VisuallyHidden } from '../labels/visually-hidden.tsx';
import classes from './copy.module.css';
import { copyText } from './copy-text.ts';
import { COPIED_MS } from './use-copied.ts';

export interface CopyLaterProps {
  /** What is copied, for screen readers: 'the key'. */
  readonly label: string;
  /** Rejects if the value cannot be read; the caller shows why. */
  readonly read: () => Promise<string>;
  /** Called when the value is in the clipboard, or cannot be. */
  readonly onDone?: () => void;
}

const SHOW_IT = 'Show the value, then copy it yourself.';

type State = 'idle' | 'reading' | 'copied';

export function CopyLater({ label, read, onDone }: CopyLaterProps) {
  const [state, setState] = useState<State>('idle');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    if (state === 'reading') return;
    setState('reading');
    const isCopied = await copyText(read(), SHOW_IT);
    setState(isCopied ? 'copied' : 'idle');
    clearTimeout(timer.current);
    if (isCopied) timer.current = setTimeout(() => setState('idle'), COPIED_MS);
    onDone?.();
  };
  const Icon = state === 'copied' ? IconCheck : IconCopy;
  return (
    <UnstyledButton
      className={classes.badge}
      data-copied={state === 'copied' || undefined}
      aria-busy={state === 'reading' || undefined}
      onClick={() => void copy()}
    >
      <Icon size={13} aria-hidden />
      <span aria-live="polite">{state === 'copied' ? 'Copied!' : 'Copy'}</span>
      <VisuallyHidden> {label}</VisuallyHidden>
    </UnstyledButton>
  );
}
