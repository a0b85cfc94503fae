/** Whether usage of a meter may exceed its limit, and by how much. */
import { Group, Text } from '@mantine/core';
import type { Overage } from '#contracts/public/overage';
import { VisuallyHidden } from '#web/ui/labels/visually-hidden.tsx';
import type { ValueErrors } from './check-value-form.ts';
import { type ControlSize, NumberField } from './number-field.tsx';
import type { MeterDraft } from './value-draft.ts';
import classes from './values.module.css';

const COUNT = { min: 1, allowDecimal: false } as const;

export interface OverageFieldsProps {
  readonly meter: MeterDraft;
  readonly onChange: (meter: MeterDraft) => void;
  readonly errors: ValueErrors;
  readonly disabled: boolean | undefined;
  /** The meter's name, for screen readers. */
  readonly label: string;
  readonly size: ControlSize;
  readonly describedBy: string | undefined;
}

export function OverageFields({ meter, onChange, errors, label, ...shared }: OverageFieldsProps) {
  const { overage, ...rest } = meter;
  const change = (changed: Overage | undefined) =>
    onChange(changed === undefined ? rest : { ...rest, overage: changed });
  return (
    <Group gap={6}>
      <label
        className={classes.unique}
        data-size={shared.size}
        title="Checks, enforced updates and holds allow usage above the limit"
      >
        <input
          type="checkbox"
          className="native-check"
          checked={overage !== undefined}
          disabled={shared.disabled}
          onChange={(event) => change(event.currentTarget.checked ? 'allow' : undefined)}
        />
        Overage allowed
        <VisuallyHidden> of {label}</VisuallyHidden>
      </label>
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
