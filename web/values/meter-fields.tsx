/** What the editors of a metered value's parts share. */
import { Text } from '@mantine/core';
import { useId } from 'react';
import { VisuallyHidden } from '#web/ui/labels/visually-hidden.tsx';
import type { ValueErrors } from './check-value-form.ts';
import type { ControlSize } from './number-field.tsx';
import type { MeterDraft } from './value-draft.ts';
import classes from './values.module.css';

interface ControlsProps {
  /** Of checkValueForm, keyed by path. */
  readonly errors: ValueErrors;
  readonly disabled?: boolean | undefined;
  /** The meter's name, for screen readers. */
  readonly label: string;
  readonly size: ControlSize;
}

/** Of an editor of one choice of a meter. */
export interface MeterFieldsProps extends ControlsProps {
  readonly meter: MeterDraft;
  readonly onChange: (meter: MeterDraft) => void;
  readonly describedBy: string | undefined;
}

/** Of an editor of what a plan's value may have beside its meter. */
export interface ValuePartProps<Part> extends ControlsProps {
  /** Undefined: the value does not have it. */
  readonly value: Part | undefined;
  readonly onChange: (value: Part | undefined) => void;
}

/** The errors of a part of a value, as one line below it. @param path of the part, with its dot: 'meter.' */
export function useErrorLine(errors: ValueErrors, path: string) {
  const id = useId();
  const own = Object.entries(errors).filter(([each]) => each.startsWith(path));
  const messages = [...new Set(own.map(([, message]) => message))];
  if (messages.length === 0) return { describedBy: undefined, errorLine: null };
  const errorLine = (
    <Text id={id} span fz="xs" c="var(--denied)">
      {messages.join(' · ')}
    </Text>
  );
  return { describedBy: id, errorLine };
}

interface MeterCheckProps extends Omit<ControlsProps, 'errors'> {
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
