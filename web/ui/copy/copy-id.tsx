/** An id, slug or key in a monospace chip. A click copies it. */
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { Hint } from '../labels/hint.tsx';
import classes from './copy.module.css';
import { useCopied } from './use-copied.ts';

export interface CopyIdProps {
  readonly value: string;
  /** What is copied, for screen readers: 'slug'. */
  readonly label: string;
}

export function CopyId({ value, label }: CopyIdProps) {
  const { isCopied, copy } = useCopied(value);
  const Icon = isCopied ? IconCheck : IconCopy;
  return (
    <Hint label={isCopied ? 'Copied!' : `Copy ${label}`}>
      <button
        type="button"
        className={classes.id}
        data-copied={isCopied || undefined}
        aria-label={isCopied ? 'Copied!' : `Copy ${label} ${value}`}
        onClick={(event) => {
          event.stopPropagation();
          event.preventDefault();
          copy();
        }}
      >
        <span className="truncate">{value}</span>
        <Icon size={12} aria-hidden className={classes.icon} />
      </button>
    </Hint>
  );
}
