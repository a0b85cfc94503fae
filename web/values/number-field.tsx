/**
 * A number field without checks, light enough for thousands of rows: groups digits unless it has the focus, accepts grouped
 * input, steps with the arrow keys. Bounds only limit the arrow keys.
 */
import { type KeyboardEvent, useState } from 'react';
import type { NumberBounds } from '#contracts/public/values';
import { formatNumber } from '#web/ui/format.ts';
import { readNumber } from './number-text.ts';
import classes from './values.module.css';

export type ControlSize = 'compact' | 'regular';

export interface NumberFieldProps {
  /** Null when empty, NaN when the text is not a number. */
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  readonly label: string;
  readonly bounds?: NumberBounds | null | undefined;
  readonly allowDecimal?: boolean;
  readonly isInvalid?: boolean;
  readonly describedBy?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly size?: ControlSize | undefined;
  /** The width, in characters. */
  readonly width?: number;
  readonly id?: string | undefined;
  readonly placeholder?: string;
}

export function NumberField(props: NumberFieldProps) {
  const { value, onChange, label, bounds, allowDecimal = true, isInvalid, describedBy, disabled } = props;
  const { size = 'regular', width = 14, id, placeholder } = props;
  /** The text being typed. Null while the formatted value is shown. */
  const [text, setText] = useState<string | null>(null);
  const isText = text !== null && Object.is(readNumber(text), value);
  const shown = isText ? text : value === null || Number.isNaN(value) ? '' : formatNumber(value);

  const step = (event: KeyboardEvent) => {
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (direction === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const from = value === null || Number.isNaN(value) ? 0 : value;
    const least = bounds?.min ?? Number.NEGATIVE_INFINITY;
    const most = bounds?.max ?? Number.POSITIVE_INFINITY;
    setText(null);
    onChange(Math.min(most, Math.max(least, from + direction)));
  };
  return (
    <input
      id={id}
      type="text"
      inputMode={allowDecimal ? 'decimal' : 'numeric'}
      autoComplete="off"
      className={classes.number}
      data-size={size}
      style={{ width: `calc(${width}ch + 18px)` }}
      aria-label={label}
      aria-invalid={isInvalid || undefined}
      aria-describedby={describedBy}
      disabled={disabled}
      placeholder={placeholder}
      value={shown}
      onChange={(event) => {
        setText(event.currentTarget.value);
        onChange(readNumber(event.currentTarget.value));
      }}
      onFocus={() => {
        // A digit typed between commas would leave them in the wrong places.
        if (text === null) setText(shown.replaceAll(',', ''));
      }}
      onBlur={() => {
        if (value !== null && !Number.isNaN(value)) setText(null);
      }}
      onKeyDown={step}
    />
  );
}
