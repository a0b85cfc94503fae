/** What the parts of a meter's editor share, each of which edits one choice of it. */
import { VisuallyHidden } from '#web/ui/labels/visually-hidden.tsx';
import type { ValueErrors } from './check-value-form.ts';
import type { ControlSize } from './number-field.tsx';
import type { MeterDraft } from './value-draft.ts';
import classes from './values.module.css';

export interface MeterFieldsProps {
  readonly meter: MeterDraft;
  readonly onChange: (meter: MeterDraft) => void;
  readonly errors: ValueErrors;
  readonly disabled: boolean | undefined;
  /** The meter's name, for screen readers. */
  readonly label: string;
  readonly size: ControlSize;
  readonly describedBy: string | undefined;
}

interface MeterCheckProps extends Pick<MeterFieldsProps, 'disabled' | 'label' | 'size'> {
  /** What it means, in a few words. */
  readonly title: string;
  readonly name: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A choice of a meter, named with it for screen readers. */
export function MeterCheck({ title, name, checked, onChange, disabled, label, size }: MeterCheckProps) {
  return (
    <label className={classes.check} data-size={size} title={title}>
      <input
        type="checkbox"
        className="native-check"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {name}
      <VisuallyHidden> of {label}</VisuallyHidden>
    </label>
  );
}
