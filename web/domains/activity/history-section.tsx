/** An object's history, whose code and rows load after the rest of the page. */
import { Skeleton } from '@mantine/core';
import { InlinePart } from '#web/ui/inline-part.tsx';
import { codeApart } from '#web/ui/loaded-apart.tsx';
import type { ObjectHistoryProps } from './object-history.tsx';

const objectHistory = codeApart(async () => (await import('./object-history.tsx')).ObjectHistory);

export function HistorySection(props: ObjectHistoryProps) {
  return <InlinePart code={objectHistory} props={props} loading={<Skeleton height={180} radius={8} />} />;
}
