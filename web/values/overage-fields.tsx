/** Whether usage of a meter may exceed its limit, and by how much. */
import { Group, Text } from '@mantine/core';
import type { Overage } from '#contracts/public/overage';
import { MeterCheck, type MeterFieldsProps } from './meter-fields.tsx';
import { NumberField } from './number-field.tsx';

const COUNT = { min: 1, allowDecimal: false } as const;

export function OverageFields({ meter, onChange, errors, label, ...shared }: MeterFieldsProps) {
  const { overage, ...rest } = meter;
  const change = (changed: Overage | undefined) =>
    onChange(changed === undefined ? rest : { ...rest, overage: changed });
  return (
    <Group gap={6}>
      <MeterCheck
        {...shared}
        label={label}
        title="Checks, enforced updates and holds allow usage above the limit"
        name="Overage allowed"
        checked={overage !== undefined}
        onChange={(isAllowed) => change(isAllowed ? 'allow' : undefined)}
      />
      {overage !== undefined && (
        <>
          <Text span c="dimmed" fz="xs" title="Empty: any amount">
            up to
          </Text>
          <NumberField
            {...shared}
            label={`Most overage of ${label}`}
            value={overage === 'allow' ? null : overage.upTo}
            onChange={(upTo) => change(upTo === null ? 'allow' : { upTo })}
            bounds={COUNT}
            allowDecimal={false}
            isInvalid={Object.hasOwn(errors, 'meter.overage.upTo')}
            width={9}
            placeholder="Any"
          />
        </>
      )}
    </Group>
  );
}
