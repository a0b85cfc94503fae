/** A part of a page or dialog whose code is loaded when it is shown. If that fails, the part alone says so and can be tried again. */
import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { LoadedApart, type LoadedApartProps, useOptionalCode } from './loaded-apart.tsx';

export interface InlinePartProps<Props> extends LoadedApartProps<Props> {
  /** Shown meanwhile. */
  readonly loading: ReactNode;
}

export function InlinePart<Props extends object>({ code, props, loading }: InlinePartProps<Props>) {
  const [hasFailed, setHasFailed] = useState(false);
  const isLoaded = useOptionalCode(code, !hasFailed, () => setHasFailed(true));
  if (isLoaded) return <LoadedApart code={code} props={props} />;
  if (!hasFailed) return loading;
  return (
    <Group gap={12} wrap="nowrap" justify="space-between" role="alert">
      <span className="muted small">
        This part could not be loaded. Check your connection, or reload the page.
      </span>
      <Button variant="default" size="xs" className="rigid" onClick={() => setHasFailed(false)}>
        Try again
      </Button>
    </Group>
  );
}
