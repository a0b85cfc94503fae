/** A property's value in one read-only line. */
import { Box } from '@mantine/core';
import { memo } from 'react';
import type { NumberBounds, PropertyType, PropertyValue } from '#contracts/public/values';
import { limitWindow } from '#engine/values/limit-window';
import { formatNumber } from '#web/ui/format.ts';
import { boundsLabel, METER_STATE_LABELS } from './value-labels.ts';
import classes from './values.module.css';
import { windowKind } from './window-kind.ts';

export interface PropertyValueViewProps {
  readonly type: PropertyType;
  /** The unit of number properties, shown faint after the number. */
  readonly bounds?: NumberBounds | null | undefined;
  readonly value: PropertyValue;
}

export const PropertyValueView = memo(function PropertyValueView({
  type,
  bounds,
  value,
}: PropertyValueViewProps) {
  if (type === 'boolean' && typeof value === 'boolean')
    return <Pill isOn={value} label={value ? 'on' : 'off'} />;
  if (type === 'string' && typeof value === 'string') return <QuotedText text={value} />;
  if (type === 'number' && typeof value === 'number') {
    const hint = boundsLabel(bounds);
    return (
      <Box component="span" className="inline-flex baseline wrap figures" style={{ gap: '0 10px' }}>
        <span className="small mono breaks">{formatNumber(value)}</span>
        {hint !== null && <span className="faint tiny figures breaks">{hint}</span>}
      </Box>
    );
  }
  if (type === 'meterable' && typeof value === 'object') {
    if (value.state !== 'metered') {
      return <Pill isOn={value.state === 'on'} label={METER_STATE_LABELS[value.state]} />;
    }
    return (
      <Box component="span" className="inline-flex baseline wrap figures" style={{ gap: '0 10px' }}>
        <span title={windowKind(value.meter) ?? undefined}>
          <span className="small mono breaks">{formatNumber(value.meter.limit)}</span>{' '}
          {limitWindow(value.meter)}
        </span>
        {value.meter.uniqueResourceIds && <span className="faint tiny figures breaks">unique IDs</span>}
      </Box>
    );
  }
  // The value's type differs from the property's: show it as it is.
  return <span className="small mono breaks">{JSON.stringify(value)}</span>;
});

function Pill({ isOn, label }: { isOn: boolean; label: string }) {
  return (
    <span className={classes.pill} data-on={isOn || undefined}>
      {label}
    </span>
  );
}

function QuotedText({ text }: { text: string }) {
  return (
    <Box
      component="span"
      fz="sm"
      ff="monospace"
      display="inline-block"
      maw="100%"
      className="truncate"
      style={{ verticalAlign: 'bottom' }}
      title={text.length > 40 ? text : undefined}
    >
      "{text}"
    </Box>
  );
}
