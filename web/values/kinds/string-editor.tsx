import { MAX_STRING_LENGTH } from '#engine/values/kinds/string';
import classes from '../values.module.css';
import type { ControlProps, KindEditor } from './kind.ts';

export const stringEditor: KindEditor = { Control: TextControl, details: null };

/** Grows with its content. Text may have several lines. */
function TextControl({ label, disabled, size, describedBy, value, onChange, isInvalid }: ControlProps) {
  const text = typeof value === 'string' ? value : '';
  return (
    <textarea
      rows={1}
      spellCheck={false}
      className={classes.text}
      data-size={size}
      aria-label={label}
      aria-invalid={isInvalid || undefined}
      aria-describedby={describedBy}
      disabled={disabled}
      placeholder="Empty text"
      data-long={text.length > MAX_STRING_LENGTH || undefined}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
