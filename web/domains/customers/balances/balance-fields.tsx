/** Fields that adding and changing a balance share. */
import { Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

export function PriorityField(props: {
  /** As written. */
  readonly value: string;
  readonly error: ReactNode;
  readonly onChange: (priority: string) => void;
}) {
  const { value, error, onChange } = props;
  return (
    <TextInput
      label="Priority"
      description="0 is used first, 100 last. The plans’ quota has 40."
      inputMode="numeric"
      autoComplete="off"
      required
      classNames={{ input: 'tiny mono' }}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function NeedsPlanField(props: {
  readonly value: boolean;
  readonly onChange: (needsPlan: boolean) => void;
}) {
  const { value, onChange } = props;
  return (
    <Switch
      label="Only with a plan"
      description="Counts while the customer has a plan with this meter, other than one that everyone has."
      checked={value}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
