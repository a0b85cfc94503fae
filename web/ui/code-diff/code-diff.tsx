/** Two texts side by side, with changed lines marked. The comparison is loaded when it is first needed. */
import { Skeleton } from '@mantine/core';
import { InlinePart } from '../loading/inline-part.tsx';
import { codeApart } from '../loading/loaded-apart.tsx';
import type { CodeDiffProps } from './code-diff-table.tsx';

const codeDiffTable = codeApart(async () => (await import('./code-diff-table.tsx')).CodeDiffTable);

export function CodeDiff(props: CodeDiffProps) {
  return (
    <InlinePart
      code={codeDiffTable}
      props={props}
      loading={<Skeleton height={120} role="status" aria-label="Loading" />}
    />
  );
}
