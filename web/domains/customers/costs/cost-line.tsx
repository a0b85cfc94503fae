/** What each one of a meter costs, or what a meter pays for. */
import { Text } from '@mantine/core';
import type { CostNote } from './cost-notes.ts';

export function CostLine({ note }: { readonly note: CostNote | undefined }) {
  if (note === undefined) return null;
  return (
    <Text span fz="xs" c={note.isUnpaid ? 'var(--denied)' : 'dimmed'} className="breaks">
      {note.text}
    </Text>
  );
}
