/** Edits one cell of the comparison where it is. Changes apply to the draft at once; Esc takes them back. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { checkValueForm, NO_VALUE_ERRORS, type ValueErrors } from '#web/values/check-value-form.ts';
import { hasDetails, ValueDetails, ValueEditor } from '#web/values/kinds/value-editor.tsx';
import { meterOf, type ValueDraft } from '#web/values/value-draft.ts';
import { type PlanPeriod, periodWarning } from '../editor/other-periods.ts';
import type { DraftValue } from '../editor/plan-draft.ts';
import { useMeterCosts, useSeatMeters } from '../editor/seat-meters.ts';
import type { CompareRow } from './compare-rows.ts';

export interface CellEditorProps {
  readonly planName: string;
  readonly row: CompareRow;
  /** Undefined for the default. */
  readonly entry: DraftValue | undefined;
  readonly refusal: ValueErrors | undefined;
  /** Of the property in the other plans. */
  readonly others: readonly PlanPeriod[];
  readonly onEnter: (value: ValueDraft) => void;
  readonly onReset: () => void;
  readonly onClose: () => void;
  /** Closes and restores the value from before. */
  readonly onRevert: () => void;
}

export function CellEditor(props: CellEditorProps) {
  const { planName, row, entry, refusal, others, onEnter, onReset, onClose, onRevert } = props;
  const { feature, property } = row;
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const control = form.current?.querySelector<HTMLElement>('input:checked, input, textarea, select');
    control?.focus();
    if (control instanceof HTMLInputElement && control.type === 'text') control.select();
  }, []);

  const seatMeters = useSeatMeters(property.id);
  const costs = useMeterCosts(property);
  const value = entry?.value ?? property.value;
  const found = checkValueForm(property, value);
  const errors = found === NO_VALUE_ERRORS && refusal !== undefined ? refusal : found;
  const meter = meterOf(value);
  const warning = entry === undefined || meter === undefined ? null : periodWarning(meter, others);
  const label = `${planName}, ${feature.name}: ${property.name}`;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onRevert();
    } else if (event.key === 'Enter' && !event.shiftKey && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault();
      onClose();
    }
  };
  return (
    <Stack ref={form} gap={8} onKeyDown={onKeyDown}>
      <Text fz="xs" c="dimmed" maw={320} truncate>
        {planName} · {feature.name}: {property.name}
      </Text>
      <ValueEditor
        type={property.type}
        bounds={property.bounds}
        label={label}
        value={value}
        onChange={onEnter}
        error={errors['']}
        size="compact"
      />
      {hasDetails(property.type, value, true) && (
        <ValueDetails
          type={property.type}
          value={value}
          onChange={onEnter}
          errors={errors}
          label={label}
          isOfPlan
          costs={costs}
          seatMeters={seatMeters}
          size="compact"
        />
      )}
      {warning !== null && (
        <Text fz="xs" c="dimmed" maw={320}>
          {warning}
        </Text>
      )}
      <Group gap={8} justify="space-between" wrap="nowrap">
        <Button variant="subtle" size="compact-sm" ml={-8} disabled={entry === undefined} onClick={onReset}>
          Use the default
        </Button>
        <Button variant="default" size="compact-sm" onClick={onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
