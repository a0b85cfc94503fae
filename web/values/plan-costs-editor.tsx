/** Edits what each one costs by a plan, as one line: 'Each one costs 3 instead of 4'. Empty: what the property says. */
import { Flex, Text } from '@mantine/core';
import { useId } from 'react';
import type { PlanCosts } from '#contracts/public/costs';
import { formatNumber } from '#web/ui/format.ts';
import type { ValueErrors } from './check-value-form.ts';
import { type ControlSize, NumberField } from './number-field.tsx';

export interface PlanCostsEditorProps {
  /** What the property says. */
  readonly per: number;
  readonly value: PlanCosts | undefined;
  readonly onChange: (value: PlanCosts | undefined) => void;
  readonly errors: ValueErrors;
  readonly disabled?: boolean | undefined;
  /** The meter's name, for screen readers. */
  readonly label: string;
  readonly size: ControlSize;
}

const BOUNDS = { min: 0.001, max: 1_000_000, allowDecimal: true };

export function PlanCostsEditor(props: PlanCostsEditorProps) {
  const { per, value, onChange, errors, disabled, label, size } = props;
  const errorId = useId();
  const error = errors['costs.per'];
  return (
    <Flex direction="column" gap={4} miw={0}>
      <Flex align="center" gap={6} wrap="wrap">
        <Text span c="dimmed" fz="xs" mr={4}>
          Each one costs
        </Text>
        <NumberField
          label={`What each one costs of ${label}`}
          value={value?.per ?? null}
          onChange={(entered) => onChange(entered === null ? undefined : { per: entered })}
          bounds={BOUNDS}
          isInvalid={error !== undefined}
          width={9}
          placeholder={formatNumber(per)}
          describedBy={error === undefined ? undefined : errorId}
          {...{ disabled, size }}
        />
        {value !== undefined && (
          <Text span c="dimmed" fz="xs">
            instead of {formatNumber(per)}
          </Text>
        )}
      </Flex>
      {error !== undefined && (
        <Text id={errorId} span fz="xs" c="var(--denied)">
          {error}
        </Text>
      )}
    </Flex>
  );
}
