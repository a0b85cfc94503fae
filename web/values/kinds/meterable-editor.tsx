import { Stack } from '@mantine/core';
import { useCallback } from 'react';
import type { MeterableValue } from '#contracts/public/values';
import { withState } from '#engine/values/kinds/change-meterable';
import { ChoiceField } from '../choice-field.tsx';
import { MeterEditor } from '../meter-editor.tsx';
import { PerEntityEditor } from '../per-entity-editor.tsx';
import { PlanCostsEditor } from '../plan-costs-editor.tsx';
import { type MeterDraft, meterOf, type ValueDraft } from '../value-draft.ts';
import type { ControlProps, DetailsProps, KindEditor } from './kind.ts';

type Limited = Exclude<Extract<ValueDraft, { state: string }>, { state: 'off' }>;

const STATES = [
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
  { value: 'metered', label: 'Metered' },
] as const;

export const meterableEditor: KindEditor = {
  Control: StateControl,
  details: {
    isShown: (value, isOfPlan) => meterOf(value) !== undefined || (isOfPlan && Object(value).state === 'on'),
    Details: MeterDetails,
  },
};

function StateControl({ label, disabled, size, describedBy, value, onChange }: ControlProps) {
  const meterable = typeof value === 'object' && value !== null ? value : ({ state: 'on' } as const);
  return (
    <ChoiceField
      label={label}
      disabled={disabled}
      size={size}
      describedBy={describedBy}
      choices={STATES}
      value={meterable.state}
      onChange={(state) => onChange(withState(meterable as MeterableValue, state))}
    />
  );
}

function MeterDetails({ value, onChange, costs = null, seatMeters, ...shared }: DetailsProps) {
  const limited = typeof value === 'object' && value !== null && value.state !== 'off' ? value : null;
  const enter = useCallback(
    (meter: MeterDraft) => onChange({ ...withoutState(limited), state: 'metered', meter }),
    [limited, onChange],
  );
  if (limited === null) return null;
  const { perEntity, ...own } = limited;
  const { costs: ownCosts, ...free } = limited;
  return (
    <Stack gap={8}>
      {own.state === 'metered' && <MeterEditor {...shared} meter={own.meter} onChange={enter} />}
      {shared.isOfPlan === true && (
        <PerEntityEditor
          {...shared}
          value={perEntity}
          seatMeters={seatMeters}
          onChange={(each) => onChange(each === undefined ? own : { ...own, perEntity: each })}
        />
      )}
      {shared.isOfPlan === true && costs !== null && (
        <PlanCostsEditor
          {...shared}
          costs={costs}
          value={ownCosts}
          onChange={(each) => onChange(each === undefined ? free : { ...free, costs: each })}
        />
      )}
    </Stack>
  );
}

/** What stays of a value whose meter changes. */
function withoutState(value: Limited | null): Pick<Limited, 'perEntity' | 'costs'> {
  const { perEntity, costs } = value ?? {};
  return { ...(perEntity && { perEntity }), ...(costs && { costs }) };
}
