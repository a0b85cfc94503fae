/** The first items of a long list, and a button that adds the next ones. For lists in dialogs, and of cards that unfold. */
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { formatNumber } from '../format.ts';

const STEP = 100;

export interface FirstItems<Item> {
  readonly shown: readonly Item[];
  /** The button; null if all items are shown. */
  readonly more: ReactNode;
}

export function useFirstItems<Item>(items: readonly Item[]): FirstItems<Item> {
  const [most, setMost] = useState(STEP);
  const rest = items.length - most;
  if (rest <= 0) return { shown: items, more: null };
  return {
    shown: items.slice(0, most),
    more: (
      <Button variant="default" fullWidth onClick={() => setMost(most + STEP)}>
        {`Show ${formatNumber(Math.min(rest, STEP))} of ${formatNumber(rest)} more`}
      </Button>
    ),
  };
}
