/** Edits what each one costs by a plan, as one line: 'Each one costs 3 of AI › Credits, instead of 4'. Empty: what the property says. */
import { Flex, Text } from '@mantine/core';
import type { PlanCosts } from '#contracts/public/costs';
import { formatNumber } from '#web/ui/format.ts';
import type { MeterCosts } from './kinds/kind.ts';
import { useErrorLine, type ValuePartProps } from './meter-fields.tsx';
import { NumberField } from './number-field.tsx';

export interface PlanCostsEditorProps extends ValuePartProps<PlanCosts> {
  /** What the property says. */
  readonly costs: MeterCosts;
}

const BOUNDS = { min: 0.001, max: 1_000_000, allowDecimal: true };

export function PlanCostsEditor(props: PlanCostsEditorProps) {
  const { costs, value, onChange, errors, disabled, label, size } = props;
  const { describedBy, errorLine } = useErrorLine(errors, 'costs.');
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
          isInvalid={errorLine !== null}
          width={9}
          placeholder={formatNumber(costs.per)}
          {...{ describedBy, disabled, size }}
        />
        <Text span c="dimmed" fz="xs">
          of {costs.of}
          {value !== undefined && `, instead of ${formatNumber(costs.per)}`}
        </Text>
      </Flex>
      {errorLine}
    </Flex>
  );
}
