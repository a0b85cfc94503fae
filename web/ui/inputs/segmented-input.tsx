/** A choice of two or three, as a field of a form. */
import { Input, SegmentedControl, type SegmentedControlProps } from '@mantine/core';
import type { ReactNode } from 'react';

export interface SegmentedInputProps extends SegmentedControlProps {
  readonly label: string;
  readonly description?: ReactNode;
}

export function SegmentedInput({ label, description, ...control }: SegmentedInputProps) {
  return (
    <Input.Wrapper label={label} description={description}>
      <div>
        <SegmentedControl aria-label={label} {...control} />
      </div>
    </Input.Wrapper>
  );
}
