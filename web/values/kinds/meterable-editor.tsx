import { useCallback } from 'react';
import type { MeterableValue } from '#contracts/public/values';
import { withState } from '#engine/values/kinds/change-meterable';
import { ChoiceField } from '../choice-field.tsx';
import { MeterEditor } from '../meter-editor.tsx';
import { type MeterDraft, meterOf } from '../value-draft.ts';
import type { ControlProps, DetailsProps, KindEditor } from './kind.ts';

const STATES = [
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
  { value: 'metered', label: 'Metered' },
] as const;

export const meterableEditor: KindEditor = {
  Control: StateControl,
  details: { isShown: (value) => meterOf(value) !== undefined, Details: MeterDetails },
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

function MeterDetails({ value, onChange, ...shared }: DetailsProps) {
  const enter = useCallback((meter: MeterDraft) => onChange({ state: 'metered', meter }), [onChange]);
  const meter = meterOf(value);
  return meter === undefined ? null : <MeterEditor {...shared} meter={meter} onChange={enter} />;
}
