/** A property's value; for a meter its usage, as figures over a bar. */
import { Flex } from '@mantine/core';
import type { Entitlement } from '#contracts/console/customers';
import { formatAge, formatInstant, formatNumber } from '#web/ui/format.ts';
import { Hint } from '#web/ui/hint.tsx';
import { Meter, MeterMark, meterLevel } from '#web/ui/meter.tsx';
import { PropertyValueView } from '#web/values/property-value.tsx';
import { windowLabel } from '#web/values/value-labels.ts';

export interface EntitlementValueProps {
  readonly entitlement: Entitlement;
  /** From which ages count. */
  readonly now: number;
}

export function EntitlementValue({ entitlement, now }: EntitlementValueProps) {
  const { meter, value, type, featureName, property } = entitlement;
  if (meter?.state !== 'metered' || typeof value !== 'object' || value.state !== 'metered')
    return <PropertyValueView type={type} value={value} />;
  const { used, limit, resetsAt, allowed } = meter;
  const level = allowed ? (meterLevel(used, limit) === 'near' ? 'near' : 'within') : 'reached';
  return (
    <span className="column shrink gap-6">
      <Flex component="span" wrap="wrap" align="baseline" gap="2px 10px" className="figures">
        <span>
          <strong>{formatNumber(used)}</strong> of {formatNumber(limit)}{' '}
          <span className="muted">{windowLabel(value.meter)}</span>
        </span>
        <MeterMark level={level} />
        {resetsAt !== null && (
          <Hint label={formatInstant(resetsAt)}>
            <span className="muted">
              {value.meter.periodType === 'fixed' ? 'Frees up' : 'Resets'} {soon(formatAge(resetsAt, now))}
            </span>
          </Hint>
        )}
      </Flex>
      <Meter used={used} limit={limit} level={level} label={`${featureName} ${property}`} isThin />
    </span>
  );
}

const soon = (age: string) => (age === 'just now' ? 'within a minute' : age);
