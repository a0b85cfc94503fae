/** Edits what each entity of a customer may use, as one line: 'Each member may use 500 every month'. Empty: no limit. */
import { Flex, Group, Text } from '@mantine/core';
import type { SeatMeter } from './kinds/kind.ts';
import { useErrorLine, type ValuePartProps } from './meter-fields.tsx';
import { NumberField } from './number-field.tsx';
import type { PerEntityDraft } from './value-draft.ts';
import { Choice, WHOLE, WindowFields } from './window-fields.tsx';

export interface PerEntityEditorProps extends ValuePartProps<PerEntityDraft> {
  /** Those of which members may need a seat. */
  readonly seatMeters: readonly SeatMeter[] | undefined;
}

const NONE: readonly never[] = [];
const A_MONTH = { periodType: 'rolling', periodCount: 1, periodLength: 'month' } as const;

export function PerEntityEditor(props: PerEntityEditorProps) {
  const { value, onChange, errors, disabled, label, size, seatMeters = NONE } = props;
  const { describedBy, errorLine } = useErrorLine(errors, 'perEntity.');
  const shared = { disabled, size, describedBy };
  const name = `each member of ${label}`;
  return (
    <Flex
      component="fieldset"
      direction="column"
      gap={4}
      miw={0}
      className="plain"
      aria-label={`Limit of ${name}`}
    >
      <Group gap={6}>
        <Text span c="dimmed" fz="xs" mr={4} title="A member is what your application sends as entityId">
          Each member may use
        </Text>
        <NumberField
          {...shared}
          label={`Limit of ${name}`}
          value={value?.limit ?? null}
          onChange={(limit) => onChange(limit === null ? undefined : { ...(value ?? A_MONTH), limit })}
          bounds={WHOLE}
          allowDecimal={false}
          isInvalid={Object.hasOwn(errors, 'perEntity.limit')}
          width={9}
          placeholder="No limit"
        />
        {value !== undefined && (
          <WindowFields
            {...shared}
            label={name}
            errorPath="perEntity"
            errors={errors}
            value={value}
            onChange={onChange}
          />
        )}
        {value !== undefined && (seatMeters.length > 0 || value.seats !== undefined) && (
          <Choice
            {...shared}
            label={`Who of ${name}`}
            value={value.seats ?? ''}
            choices={[
              { value: '', label: 'with or without a seat' },
              ...seatChoices(seatMeters, value.seats),
            ]}
            onChange={(seats) => onChange(withSeats(value, seats))}
            isInvalid={Object.hasOwn(errors, 'perEntity.seats')}
          />
        )}
      </Group>
      {errorLine}
    </Flex>
  );
}

/** Also the one that is chosen and gone. */
function seatChoices(meters: readonly SeatMeter[], chosen: string | undefined) {
  const isGone = chosen !== undefined && !meters.some(({ id }) => id === chosen);
  const all = isGone ? [...meters, { id: chosen, name: 'a deleted meter' }] : meters;
  return all.map(({ id, name }) => ({ value: id, label: `with a seat: ${name}` }));
}

function withSeats({ seats: _, ...value }: PerEntityDraft, seats: string): PerEntityDraft {
  return seats === '' ? value : { ...value, seats };
}
