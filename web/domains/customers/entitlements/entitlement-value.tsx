/** A property's value; for a meter its usage, as figures over a bar. */
import { Flex } from '@mantine/core';
import type { Entitlement } from '#contracts/console/customers';
import { formatAge, formatInstant, formatInstantIn, formatNumber } from '#web/ui/format.ts';
import { Hint } from '#web/ui/labels/hint.tsx';
import { Meter, MeterMark } from '#web/ui/labels/meter.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { HeldFigure } from '#web/values/held-figure.tsx';
import { PropertyValueView } from '#web/values/kinds/property-value.tsx';
import { UnlimitedValue } from '#web/values/kinds/unlimited-value.tsx';
import { levelOf } from '#web/values/meter-level.ts';
import { CostLine } from '../costs/cost-line.tsx';
import type { CostNote } from '../costs/cost-notes.ts';
import { hasBalances, meterWindow } from './meter-window.ts';

export interface EntitlementValueProps {
  readonly entitlement: Entitlement;
  readonly note?: CostNote | undefined;
}

export function EntitlementValue({ entitlement, note }: EntitlementValueProps) {
  const { meter, value, type, featureName, property } = entitlement;
  if (meter?.state === 'on' || meter?.state === 'off') {
    const view = <UnlimitedValue value={meter} />;
    if (note === undefined) return view;
    return (
      <Flex component="span" direction="column" align="flex-start" gap={2} miw={0}>
        {view}
        <CostLine note={note} />
      </Flex>
    );
  }
  if (meter?.state !== 'metered' || typeof value !== 'object' || value.state !== 'metered')
    return <PropertyValueView type={type} value={value} />;
  const { used, held = 0, limit, resetsAt } = meter;
  const level = levelOf(meter);
  return (
    <Flex component="span" direction="column" gap={6} miw={0}>
      <Flex component="span" wrap="wrap" align="baseline" gap="2px 10px" className="figures">
        <span>
          <strong>{formatNumber(used)}</strong> of {formatNumber(limit)}{' '}
          <span className="muted">{meterWindow(meter, value.meter)}</span>
        </span>
        <HeldFigure held={held} until={entitlement.heldUntil} />
        <MeterMark level={level} />
        {resetsAt !== null && (
          <Reset
            at={resetsAt}
            zone={value.meter.zone}
            verb={
              value.meter.periodType === 'fixed' ? 'Frees up' : hasBalances(meter) ? 'Quota resets' : 'Resets'
            }
          />
        )}
      </Flex>
      <Meter {...{ used, held, limit, level }} label={`${featureName} ${property}`} isThin />
      <CostLine note={note} />
    </Flex>
  );
}

interface ResetProps {
  readonly at: number;
  readonly verb: string;
  /** Whose calendar the period follows. */
  readonly zone: string | undefined;
}

/** The usage is read again soon after the reset. */
function Reset({ at, verb, zone }: ResetProps) {
  const now = useNow(10_000);
  const age = formatAge(Math.max(at, now), now);
  return (
    <Hint label={zone === undefined ? formatInstant(at) : formatInstantIn(zone, at)}>
      <span className="muted">
        {verb} {age === 'just now' ? 'within a minute' : age}
      </span>
    </Hint>
  );
}
