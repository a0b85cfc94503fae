/**
 * The main control for a property's value, small enough for a table cell: a switch, a number, a text, or a choice of
 * on, off and metered. MeterEditor edits the rest of a metered value. Plain elements, because a page can contain
 * thousands.
 */
import { Box, Stack, Text } from '@mantine/core';
import { memo, useId } from 'react';
import type { MeterableValue, NumberBounds, PropertyType } from '#contracts/public/values';
import { withState } from '#engine/values/change-meterable';
import { MAX_STRING_LENGTH } from '#engine/values/check-value';
import { ChoiceField } from './choice-field.tsx';
import { type ControlSize, NumberField } from './number-field.tsx';
import type { ValueDraft } from './value-draft.ts';
import { boundsLabel } from './value-labels.ts';
import classes from './values.module.css';

export interface ValueEditorProps {
  readonly type: PropertyType;
  /** The unit of number properties. */
  readonly bounds?: NumberBounds | null | undefined;
  /** The value's name, for screen readers. */
  readonly label: string;
  readonly value: ValueDraft;
  readonly onChange: (value: ValueDraft) => void;
  /** The error of the value itself. MeterEditor shows the meter's errors. */
  readonly error?: string | undefined;
  readonly disabled?: boolean | undefined;
  /** `compact` for tables (the default), `regular` for dialogs and forms. */
  readonly size?: ControlSize | undefined;
}

const STATES = [
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
  { value: 'metered', label: 'Metered' },
] as const;

export const ValueEditor = memo(function ValueEditor(props: ValueEditorProps) {
  const errorId = useId();
  const { error } = props;
  const describedBy = error === undefined ? undefined : errorId;
  return (
    <Stack gap={4} align="flex-start" miw={0}>
      <ValueControl {...props} describedBy={describedBy} />
      {error !== undefined && (
        <Text id={errorId} span fz="xs" c="var(--denied)">
          {error}
        </Text>
      )}
    </Stack>
  );
});

type ControlProps = ValueEditorProps & { readonly describedBy: string | undefined };

function ValueControl({
  type,
  bounds,
  label,
  value,
  onChange,
  error,
  disabled,
  size,
  describedBy,
}: ControlProps) {
  const shared = { label, disabled, size: size ?? 'compact', describedBy };
  switch (type) {
    case 'boolean':
      return <BooleanControl {...shared} value={value === true} onChange={onChange} />;
    case 'string':
      return (
        <TextControl
          {...shared}
          value={typeof value === 'string' ? value : ''}
          onChange={onChange}
          isInvalid={error !== undefined}
        />
      );
    case 'number': {
      const hint = boundsLabel(bounds);
      return (
        <Box component="span" className="inline-row wrap" style={{ gap: '2px 10px' }}>
          <NumberField
            {...shared}
            value={typeof value === 'number' ? value : null}
            onChange={onChange}
            bounds={bounds}
            allowDecimal={bounds?.allowDecimal ?? true}
            isInvalid={error !== undefined}
          />
          {hint !== null && <span className="faint tiny figures breaks">{hint}</span>}
        </Box>
      );
    }
    case 'meterable': {
      const meterable = typeof value === 'object' && value !== null ? value : ({ state: 'on' } as const);
      return (
        <ChoiceField
          {...shared}
          choices={STATES}
          value={meterable.state}
          onChange={(state) => onChange(withState(meterable as MeterableValue, state))}
        />
      );
    }
  }
}

interface PartProps<Value> {
  readonly label: string;
  readonly disabled?: boolean | undefined;
  readonly size: ControlSize;
  readonly describedBy: string | undefined;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function BooleanControl({ label, disabled, size, describedBy, value, onChange }: PartProps<boolean>) {
  return (
    <label className={classes.switchLabel} data-size={size}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={value}
        className={classes.switch}
        aria-label={label}
        aria-describedby={describedBy}
        checked={value}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span aria-hidden>{value ? 'On' : 'Off'}</span>
    </label>
  );
}

/** Grows with its content. Text may have several lines. */
function TextControl(props: PartProps<string> & { readonly isInvalid: boolean }) {
  const { label, disabled, size, describedBy, value, onChange, isInvalid } = props;
  return (
    <textarea
      rows={1}
      spellCheck={false}
      className={classes.text}
      data-size={size}
      aria-label={label}
      aria-invalid={isInvalid || undefined}
      aria-describedby={describedBy}
      disabled={disabled}
      placeholder="Empty text"
      data-long={value.length > MAX_STRING_LENGTH || undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
