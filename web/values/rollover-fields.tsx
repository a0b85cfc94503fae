/** What is left of a meter's limit when its period ends: whether it rolls over, how much of it, and for how long. */
import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Rollover } from '#contracts/public/rollover';
import { rolledAmount } from '#engine/balances/rolled-amount';
import { anniversaryOf } from '#engine/metering/billing-window';
import { formatNumber, formatUtcDay } from '#web/ui/format.ts';
import { MeterCheck, type MeterFieldsProps } from './meter-fields.tsx';
import { NumberField } from './number-field.tsx';
import type { MeterDraft } from './value-draft.ts';

const COUNT = { min: 1, allowDecimal: false } as const;
const FIRST: Rollover = { max: 'all', lasts: { months: 1 } };

export function RolloverFields({ meter, onChange, errors, label, ...shared }: MeterFieldsProps) {
  const { rollover } = meter;
  const change = (changed: Rollover | undefined) => {
    const { rollover: _, ...rest } = meter;
    onChange(changed === undefined ? rest : { ...rest, rollover: changed });
  };
  const invalid = (path: string) => Object.hasOwn(errors, `meter.rollover.${path}`);
  return (
    <>
      <Group gap={6}>
        <MeterCheck
          {...shared}
          label={label}
          title="Otherwise it is lost"
          name="Unused rolls over"
          checked={rollover !== undefined}
          onChange={(rolls) => change(rolls ? FIRST : undefined)}
        />
        {rollover !== undefined && (
          <>
            <Pair>
              <NumberField
                {...shared}
                label={`Percent of the unused ${label} that rolls over`}
                value={rollover.share ?? null}
                onChange={(share) => change({ ...rollover, share: share ?? undefined })}
                bounds={{ ...COUNT, max: 100 }}
                allowDecimal={false}
                isInvalid={invalid('share')}
                width={4}
                placeholder="100"
              />
              <Word>%,</Word>
            </Pair>
            <Pair>
              <Word title="Empty: all of it">up to</Word>
              <NumberField
                {...shared}
                label={`Most of ${label} that rolls over`}
                value={rollover.max === 'all' ? null : rollover.max}
                onChange={(max) => change({ ...rollover, max: max ?? 'all' })}
                bounds={COUNT}
                allowDecimal={false}
                isInvalid={invalid('max')}
                width={9}
                placeholder="All"
              />
            </Pair>
            <Pair>
              <Word title="Empty: without an end">for</Word>
              <NumberField
                {...shared}
                label={`Months that rolled over ${label} lasts`}
                value={rollover.lasts === 'forever' ? null : rollover.lasts.months}
                onChange={(months) => change(withMonths(rollover, months))}
                bounds={{ ...COUNT, max: 12 }}
                allowDecimal={false}
                isInvalid={invalid('lasts.months')}
                width={4}
                placeholder="∞"
              />
              <Word>{wordsAfter(rollover)}</Word>
            </Pair>
            {rollover.lasts !== 'forever' && (
              <Pair>
                <NumberField
                  {...shared}
                  label={`Times that ${label} rolls over`}
                  value={rollover.times ?? null}
                  onChange={(times) => change({ ...rollover, times: times ?? undefined })}
                  bounds={{ ...COUNT, max: 12 }}
                  allowDecimal={false}
                  isInvalid={invalid('times')}
                  width={3}
                  placeholder="1"
                />
                <Word title="How often: what is left of it then rolls over again">
                  {(rollover.times ?? 1) === 1 ? 'time' : 'times'}
                </Word>
              </Pair>
            )}
          </>
        )}
      </Group>
      {rollover !== undefined && Object.keys(errors).length === 0 && (
        <RolloverExample meter={meter} rollover={rollover} />
      )}
    </>
  );
}

/** A field with its word, on one line. */
function Pair({ children }: { readonly children: ReactNode }) {
  return (
    <Group gap={6} wrap="nowrap">
      {children}
    </Group>
  );
}

function Word({ title, children }: { readonly title?: string; readonly children: string }) {
  return (
    <Text span c="dimmed" fz="xs" title={title}>
      {children}
    </Text>
  );
}

/** After the months. How often it rolls over follows, if it ends. */
function wordsAfter({ lasts }: Rollover): string {
  if (lasts === 'forever') return 'months';
  return lasts.months === 1 ? 'month,' : 'months,';
}

function withMonths({ times, ...rollover }: Rollover, months: number | null): Rollover {
  return months === null
    ? { ...rollover, lasts: 'forever' }
    : { ...rollover, lasts: { months }, ...(times !== undefined && { times }) };
}

/** For calendar months the first, and otherwise the 31st, which most months do not have. */
const ANCHORS = { rolling: Date.UTC(2026, 0, 1), billing: Date.UTC(2026, 0, 31) };

interface RolloverExampleProps {
  readonly meter: MeterDraft;
  readonly rollover: Rollover;
}

function RolloverExample({ meter, rollover }: RolloverExampleProps) {
  const { limit, periodType, periodCount } = meter;
  if (limit === null || limit === 0) return null;
  const anchor = ANCHORS[periodType === 'rolling' ? 'rolling' : 'billing'];
  const months = periodCount || 1;
  const [from, until] = [0, rollover.lasts === 'forever' ? 0 : rollover.lasts.months].map((more) =>
    formatUtcDay(anniversaryOf(anchor, months + more)),
  );
  const end = rollover.lasts === 'forever' ? 'without an end' : `until ${until}`;
  return (
    <Text fz="xs" c="dimmed" w="100%">
      After a period from {formatUtcDay(anchor)} without any usage,{' '}
      {formatNumber(rolledAmount(rollover, limit))} can be used from {from} {end}.
    </Text>
  );
}
