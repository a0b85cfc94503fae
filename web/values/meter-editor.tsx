/**
 * Edits a meter: limit and window as one readable line ('500 in the last 30 days'), what kind of window that is, and whether each
 * resource id counts once. Rendered below the value's own control.
 */
import { Flex, Group, Text } from '@mantine/core';
import { memo, useId } from 'react';
import type { Meter, PeriodLength, PeriodType } from '#contracts/public/values';
import { anniversaryOf } from '#engine/metering/billing-window';
import { withPeriodType } from '#engine/values/kinds/change-meterable';
import { PERIOD_TYPE_LABELS } from '#engine/values/limit-window';
import { formatUtcDay } from '#web/ui/format.ts';
import { VisuallyHidden } from '#web/ui/labels/visually-hidden.tsx';
import { NO_VALUE_ERRORS, type ValueErrors } from './check-value-form.ts';
import { type ControlSize, NumberField } from './number-field.tsx';
import type { MeterDraft } from './value-draft.ts';
import classes from './values.module.css';
import { windowKind } from './window-kind.ts';

export interface MeterEditorProps {
  readonly meter: MeterDraft;
  readonly onChange: (meter: MeterDraft) => void;
  /** Errors of checkValueForm, keyed 'meter.limit' and so on. */
  readonly errors?: ValueErrors | undefined;
  readonly disabled?: boolean | undefined;
  /** The meter's name, for screen readers. */
  readonly label: string;
  readonly size?: ControlSize | undefined;
  /** Whether a plan sets the meter, which may then have another limit in a trial. */
  readonly isOfPlan?: boolean | undefined;
}

const PERIOD_TYPES = ['fixed', 'rolling', 'billing', 'lifetime'] as const satisfies readonly PeriodType[];
const PERIOD_LENGTHS = ['hour', 'day', 'month'] as const satisfies readonly PeriodLength[];
const BILLING_LENGTHS = ['month'] as const satisfies readonly PeriodLength[];
const WHOLE = { min: 0, allowDecimal: false } as const;

export const MeterEditor = memo(function MeterEditor(props: MeterEditorProps) {
  const { meter, onChange, errors = NO_VALUE_ERRORS, disabled, label, size = 'compact', isOfPlan } = props;
  const errorId = useId();
  const kindId = useId();
  const messages = [...new Set(Object.values(errors))];
  const shared = { disabled, size, describedBy: messages.length > 0 ? errorId : undefined };
  const kind = windowKind(meter);
  const ending = meter.periodCount === 1 || meter.periodCount === undefined ? '' : 's';
  return (
    <Flex
      component="fieldset"
      direction="column"
      gap={4}
      miw={0}
      className="plain"
      aria-label={`Meter of ${label}`}
    >
      <Group gap={6}>
        <Text span c="dimmed" fz="xs" mr={4}>
          Limit
        </Text>
        <NumberField
          {...shared}
          label={`Limit of ${label}`}
          value={meter.limit}
          onChange={(limit) => onChange({ ...meter, limit })}
          bounds={WHOLE}
          allowDecimal={false}
          isInvalid={Object.hasOwn(errors, 'meter.limit')}
          width={11}
        />
        <Choice
          {...shared}
          label={`Period of ${label}`}
          describedBy={[shared.describedBy, kind === null ? undefined : kindId].filter(Boolean).join(' ')}
          value={meter.periodType}
          choices={PERIOD_TYPES.map((value) => ({ value, label: PERIOD_TYPE_LABELS[value] }))}
          onChange={(periodType) => onChange(withPeriod(meter, periodType))}
        />
        {kind !== null && (
          <>
            <NumberField
              {...shared}
              label={`Number of periods of ${label}`}
              value={meter.periodCount === undefined ? 1 : meter.periodCount}
              onChange={(periodCount) => onChange({ ...meter, periodCount })}
              bounds={WHOLE}
              allowDecimal={false}
              isInvalid={Object.hasOwn(errors, 'meter.periodCount')}
              width={5}
            />
            <Choice
              {...shared}
              label={`Length of the period of ${label}`}
              value={meter.periodLength ?? ''}
              choices={[
                ...(meter.periodLength === undefined ? [{ value: '' as const, label: '…' }] : []),
                ...(meter.periodType === 'billing' ? BILLING_LENGTHS : PERIOD_LENGTHS).map((value) => ({
                  value,
                  label: value + ending,
                })),
              ]}
              onChange={(length) => onChange({ ...meter, periodLength: length === '' ? undefined : length })}
              isInvalid={Object.hasOwn(errors, 'meter.periodLength')}
            />
            <Text id={kindId} span c="dimmed" fz="xs" mr={4}>
              {kind}
            </Text>
          </>
        )}
        {isOfPlan === true && meter.periodType === 'billing' && (
          <>
            <Text span c="dimmed" fz="xs" mr={4} title="Of a whole trial. Empty: as without a trial.">
              In a trial
            </Text>
            <NumberField
              {...shared}
              label={`Limit in a trial of ${label}`}
              value={meter.trialLimit ?? null}
              onChange={(limit) => onChange(withTrialLimit(meter, limit))}
              bounds={WHOLE}
              allowDecimal={false}
              isInvalid={Object.hasOwn(errors, 'meter.trialLimit')}
              width={9}
              placeholder="Same"
            />
          </>
        )}
        <label className={classes.unique} data-size={size} title="Each resource ID counts once in the period">
          <input
            type="checkbox"
            className="native-check"
            checked={meter.uniqueResourceIds}
            disabled={disabled}
            onChange={(event) => onChange({ ...meter, uniqueResourceIds: event.currentTarget.checked })}
          />
          Unique resource IDs
          <VisuallyHidden> of {label}</VisuallyHidden>
        </label>
      </Group>
      {meter.periodType === 'billing' && <BillingExample months={meter.periodCount || 1} />}
      {messages.length > 0 && (
        <Text id={errorId} span fz="xs" c="var(--denied)">
          {messages.join(' · ')}
        </Text>
      )}
    </Flex>
  );
});

/** The 31st, which most months do not have. */
const LATE_ANCHOR = Date.UTC(2026, 0, 31);
const EXAMPLES = 4;

function BillingExample({ months }: { readonly months: number }) {
  const days = Array.from({ length: EXAMPLES }, (_, index) =>
    formatUtcDay(anniversaryOf(LATE_ANCHOR, index * months)),
  );
  return (
    <Text span fz="xs" c="dimmed">
      Resets on each customer’s own billing day: for the 31st, {days.join(' → ')}. Customers without a
      subscription or grant of the plan count from the first of the month.
    </Text>
  );
}

function withTrialLimit({ trialLimit: _, ...meter }: MeterDraft, limit: number | null): MeterDraft {
  return limit === null ? meter : { ...meter, trialLimit: limit };
}

/** Applies the engine's transition; incomplete input stays as it is. */
function withPeriod(meter: MeterDraft, periodType: PeriodType): MeterDraft {
  const changed = withPeriodType(meter as Meter, periodType);
  return { ...changed, limit: meter.limit };
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

function Choice<Value extends string>(props: ChoiceProps<Value>) {
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
