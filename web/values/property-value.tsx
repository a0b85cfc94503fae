/** How the value of a property looks, everywhere in the console: read-only, one line, as light as text. */
import { memo } from 'react';
import type { NumberBounds, PropertyType, PropertyValue } from '#contracts/values';
import { formatNumber } from '../ui/format.ts';
import { boundsWords, windowWords } from './value-words.ts';
import classes from './values.module.css';

export interface PropertyValueViewProps {
  readonly type: PropertyType;
  /** Of number properties: shown faint beside the number. */
  readonly bounds?: NumberBounds | null | undefined;
  readonly value: PropertyValue;
}

export const PropertyValueView = memo(function PropertyValueView({
  type,
  bounds,
  value,
}: PropertyValueViewProps) {
  if (type === 'boolean' && typeof value === 'boolean') return <Pill isOn={value} />;
  if (type === 'string' && typeof value === 'string') return <QuotedText text={value} />;
  if (type === 'number' && typeof value === 'number') {
    const hint = boundsWords(bounds);
    return (
      <span className={classes.value}>
        <span className={classes.mono}>{formatNumber(value)}</span>
        {hint !== null && <span className={classes.hint}>{hint}</span>}
      </span>
    );
  }
  if (type === 'meterable' && typeof value === 'object') {
    if (value.state !== 'metered') return <Pill isOn={value.state === 'on'} />;
    return (
      <span className={classes.value}>
        <span>
          <span className={classes.mono}>{formatNumber(value.meter.limit)}</span> {windowWords(value.meter)}
        </span>
        {value.meter.uniqueResourceIds && <span className={classes.hint}>unique ids</span>}
      </span>
    );
  }
  // Of another type than its property: what stands there is shown as it is.
  return <span className={classes.mono}>{JSON.stringify(value)}</span>;
});

function Pill({ isOn }: { isOn: boolean }) {
  return (
    <span className={classes.pill} data-on={isOn || undefined}>
      {isOn ? 'on' : 'off'}
    </span>
  );
}

function QuotedText({ text }: { text: string }) {
  return (
    <span className={classes.quoted} title={text.length > 40 ? text : undefined}>
      "{text}"
    </span>
  );
}
