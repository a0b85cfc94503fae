/** The window of a limit: what kind it is, how many periods, of which length. */
import { Text } from '@mantine/core';
import { useContext, useId } from 'react';
import type { Meter, PeriodLength, PeriodType } from '#contracts/public/values';
import { withPeriodType } from '#engine/values/kinds/change-meterable';
import { PERIOD_TYPE_LABELS } from '#engine/values/limit-window';
import { OrganisationContext } from '#web/session/organisation.tsx';
import type { ValueErrors } from './check-value-form.ts';
import { type ControlSize, NumberField } from './number-field.tsx';
import type { LimitDraft } from './value-draft.ts';
import classes from './values.module.css';
import { windowKind } from './window-kind.ts';

const PERIOD_TYPES = ['fixed', 'rolling', 'billing', 'lifetime'] as const satisfies readonly PeriodType[];
const PERIOD_LENGTHS = ['hour', 'day', 'month'] as const satisfies readonly PeriodLength[];
const BILLING_LENGTHS = ['month'] as const satisfies readonly PeriodLength[];
export const WHOLE = { min: 0, allowDecimal: false } as const;

export interface WindowFieldsProps<Limit extends LimitDraft> {
  /** What is limited, for screen readers. */
  readonly label: string;
  readonly value: Limit;
  readonly onChange: (value: Limit) => void;
  /** Of checkValueForm, keyed by path. */
  readonly errors: ValueErrors;
  /** The path of the value with the window. */
  readonly errorPath: string;
  readonly size: ControlSize;
  readonly disabled: boolean | undefined;
  readonly describedBy: string | undefined;
}

export function WindowFields<Limit extends LimitDraft>(props: WindowFieldsProps<Limit>) {
  const { label, value, onChange, errors, errorPath, ...shared } = props;
  const kindId = useId();
  const kind = windowKind(value);
  const zone = useContext(OrganisationContext)?.zone;
  const calendar = value.periodType === 'rolling' && zone !== undefined && zone !== 'UTC' ? ` (${zone})` : '';
  const ending = value.periodCount === 1 || value.periodCount === undefined ? '' : 's';
  return (
    <>
      <Choice
        {...shared}
        label={`Period of ${label}`}
        describedBy={[shared.describedBy, kind === null ? undefined : kindId].filter(Boolean).join(' ')}
        value={value.periodType}
        choices={PERIOD_TYPES.map((type) => ({ value: type, label: PERIOD_TYPE_LABELS[type] }))}
        onChange={(periodType) => onChange(withPeriod(value, periodType))}
      />
      {kind !== null && (
        <>
          <NumberField
            {...shared}
            label={`Number of periods of ${label}`}
            value={value.periodCount === undefined ? 1 : value.periodCount}
            onChange={(periodCount) => onChange({ ...value, periodCount })}
            bounds={WHOLE}
            allowDecimal={false}
            isInvalid={Object.hasOwn(errors, `${errorPath}.periodCount`)}
            width={5}
          />
          <Choice
            {...shared}
            label={`Length of the period of ${label}`}
            value={value.periodLength ?? ''}
            choices={[
              ...(value.periodLength === undefined ? [{ value: '' as const, label: '…' }] : []),
              ...(value.periodType === 'billing' ? BILLING_LENGTHS : PERIOD_LENGTHS).map((length) => ({
                value: length,
                label: length + ending,
              })),
            ]}
            onChange={(length) => onChange({ ...value, periodLength: length === '' ? undefined : length })}
            isInvalid={Object.hasOwn(errors, `${errorPath}.periodLength`)}
          />
          <Text id={kindId} span c="dimmed" fz="xs" mr={4}>
            {kind}
            {calendar}
          </Text>
        </>
      )}
    </>
  );
}

/** Applies the engine's transition; incomplete input stays as it is. */
function withPeriod<Limit extends LimitDraft>(value: Limit, periodType: PeriodType): Limit {
  const {
    periodType: type,
    periodCount,
    periodLength,
  } = withPeriodType(value as unknown as Meter, periodType);
  const { periodCount: _, periodLength: __, ...rest } = value;
  const window = type === 'lifetime' ? {} : { periodCount, periodLength };
  const changed = { ...rest, periodType: type, ...window };
  return changed as unknown as Limit;
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
  readonly size: ControlSize;
  readonly disabled?: boolean | undefined;
  readonly isInvalid?: boolean;
  readonly describedBy: string | undefined;
}

export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, choices, onChange, size, disabled, isInvalid, describedBy } = props;
  return (
    <select
      className={classes.select}
      data-size={size}
      aria-label={label}
      aria-invalid={isInvalid || undefined}
      aria-describedby={describedBy || undefined}
      disabled={disabled}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as Value)}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}
