/**
 * Edits a meter: limit and window as one readable line ('500 in the last 30 days'), what kind of window that is, and below it
 * how it counts, and what happens beyond the limit and after the period. Rendered below the value's own control.
 */
import { Flex, Group, Text } from '@mantine/core';
import { memo } from 'react';
import type { Meter } from '#contracts/public/values';
import { anniversaryOf } from '#engine/metering/billing-window';
import { withRollover } from '#engine/values/kinds/change-meterable';
import { canRollOver } from '#engine/values/kinds/rollover';
import { formatUtcDay } from '#web/ui/format.ts';
import { NO_VALUE_ERRORS, type ValueErrors } from './check-value-form.ts';
import { MeterCheck, useErrorLine } from './meter-fields.tsx';
import { type ControlSize, NumberField } from './number-field.tsx';
import { OverageFields } from './overage-fields.tsx';
import { RolloverFields } from './rollover-fields.tsx';
import type { MeterDraft } from './value-draft.ts';
import { WHOLE, WindowFields } from './window-fields.tsx';

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

export const MeterEditor = memo(function MeterEditor(props: MeterEditorProps) {
  const { meter, onChange, errors = NO_VALUE_ERRORS, disabled, label, size = 'compact', isOfPlan } = props;
  const { describedBy, errorLine } = useErrorLine(errors, 'meter.');
  const shared = { disabled, size, describedBy };
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
        <WindowFields
          {...shared}
          label={label}
          errorPath="meter"
          errors={errors}
          value={meter}
          onChange={(changed) => onChange(fitting(changed))}
        />
        {isOfPlan === true && meter.periodType === 'billing' && (
          <Group gap={6} wrap="nowrap">
            <Text span c="dimmed" fz="xs" title="Of a whole trial. Empty: as without a trial.">
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
          </Group>
        )}
      </Group>
      <Group gap="4px 14px">
        <MeterCheck
          {...shared}
          label={label}
          title="Each resource ID counts once in the period"
          name="Unique resource IDs"
          checked={meter.uniqueResourceIds}
          onChange={(uniqueResourceIds) => onChange(fitting({ ...meter, uniqueResourceIds }))}
        />
        <OverageFields {...shared} meter={meter} onChange={onChange} errors={errors} label={label} />
        {canRollOver(meter) && (
          <RolloverFields {...shared} meter={meter} onChange={onChange} errors={errors} label={label} />
        )}
      </Group>
      {meter.periodType === 'billing' && <BillingExample months={meter.periodCount || 1} />}
      {errorLine}
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

/** Without what only other periods have. */
function fitting(meter: MeterDraft): MeterDraft {
  const own = meter.periodType === 'billing' ? meter : withTrialLimit(meter, null);
  return { ...withRollover(own as Meter, meter.rollover), limit: meter.limit };
}
