/** A small button that copies a value: 'Copy', then 'Copied!' for two seconds. */
import { UnstyledButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { VisuallyHidden } from '../labels/visually-hidden.tsx';
import classes from './copy.module.css';
import { useCopied } from './use-copied.ts';

export interface CopyBadgeProps {
  readonly value: string;
  /** What is copied, for screen readers: 'the key'. */
  readonly label: string;
}

export function CopyBadge({ value, label }: CopyBadgeProps) {
  const { isCopied, copy } = useCopied(value);
  const Icon = isCopied ? IconCheck : IconCopy;
  return (
    <UnstyledButton className={classes.badge} data-copied={isCopied || undefined} onClick={copy}>
      <Icon size={13} aria-hidden />
      <span aria-live="polite">{isCopied ? 'Copied!' : 'Copy'}</span>
      <VisuallyHidden> {label}</VisuallyHidden>
    </UnstyledButton>
  );
}
