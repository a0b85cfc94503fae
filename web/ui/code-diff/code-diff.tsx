/** Two texts side by side, with changed lines marked. The comparison is loaded when it is first needed. */
import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

export interface CodeDiffProps {
  readonly from: string;
  readonly to: string;
  readonly fromLabel: string;
  readonly toLabel: string;
}

const CodeDiffTable = lazy(async () => ({
  default: (await import('./code-diff-table.tsx')).CodeDiffTable,
}));

export function CodeDiff(props: CodeDiffProps) {
  return (
    <Suspense fallback={<Skeleton height={120} role="status" aria-label="Loading" />}>
      <CodeDiffTable {...props} />
    </Suspense>
  );
}
