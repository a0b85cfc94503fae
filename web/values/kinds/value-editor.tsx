/** Edits a property's value: its main control, and below it what the value has besides, such as a meter. */
import { Stack, Text } from '@mantine/core';
import { memo, useId } from 'react';
import type { NumberBounds, PropertyType } from '#contracts/public/values';
import type { ControlSize } from '../number-field.tsx';
import type { ValueDraft } from '../value-draft.ts';
import { EDITORS } from './editors.ts';
import type { DetailsProps } from './kind.ts';

export interface ValueEditorProps {
  readonly type: PropertyType;
  /** Of types that have bounds. */
  readonly bounds?: NumberBounds | null | undefined;
  /** The value's name, for screen readers. */
  readonly label: string;
  readonly value: ValueDraft;
  readonly onChange: (value: ValueDraft) => void;
  /** The error of the value itself. ValueDetails shows the others. */
  readonly error?: string | undefined;
  readonly disabled?: boolean | undefined;
  /** `compact` for tables (the default), `regular` for dialogs and forms. */
  readonly size?: ControlSize | undefined;
}

export const ValueEditor = memo(function ValueEditor(props: ValueEditorProps) {
  const errorId = useId();
  const { type, bounds, label, value, onChange, error, disabled, size = 'compact' } = props;
  const { Control } = EDITORS[type];
  return (
    <Stack gap={4} align="flex-start" miw={0}>
      <Control
        {...{ bounds, label, value, onChange, disabled, size }}
        isInvalid={error !== undefined}
        describedBy={error === undefined ? undefined : errorId}
      />
      {error !== undefined && (
        <Text id={errorId} span fz="xs" c="var(--denied)">
          {error}
        </Text>
      )}
    </Stack>
  );
});

/** Whether a value has something below its control. */
export function hasDetails(
  type: PropertyType,
  value: ValueDraft | undefined,
  isOfPlan = false,
): value is ValueDraft {
  return value !== undefined && (EDITORS[type].details?.isShown(value, isOfPlan) ?? false);
}

/** Only of values that `hasDetails`. */
export const ValueDetails = memo(function ValueDetails({
  type,
  ...props
}: DetailsProps & { readonly type: PropertyType }) {
  const Details = EDITORS[type].details?.Details;
  return Details === undefined ? null : <Details {...props} />;
});
