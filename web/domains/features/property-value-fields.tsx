/** The fields of a property's bounds, default value and rule for several plans. */
import { Switch } from '@mantine/core';
import { useId } from 'react';
import type { ConflictResolution } from '#contracts/public/values';
import { Notice } from '#web/ui/notice.tsx';
import { MeterEditor } from '#web/values/meter-editor.tsx';
import { NumberField } from '#web/values/number-field.tsx';
import { ValueEditor } from '#web/values/value-editor.tsx';
import { resolutionLabel } from '#web/values/value-labels.ts';
import classes from './features.module.css';
import { boundsOf, PROPERTY_FIELD_WORDS } from './property-form.ts';
import type { PropertyForm } from './use-property-form.ts';

const BOUNDS = ['min', 'max'] as const;

export function BoundsFields({ form }: { form: PropertyForm }) {
  const { values, errors, set } = form;
  const id = useId();
  return (
    <fieldset className={classes.group}>
      <legend>Bounds</legend>
      <div className={classes.bounds}>
        {BOUNDS.map((bound) => (
          <BoundField
            key={bound}
            label={PROPERTY_FIELD_WORDS[bound]}
            value={values[bound]}
            errorId={errors[bound] === undefined ? undefined : `${id}-${bound}`}
            onChange={(value) => set({ [bound]: value })}
          />
        ))}
        <div className={classes.decimals}>
          <Switch
            label="Allow decimals"
            checked={values.allowDecimal}
            onChange={(event) => set({ allowDecimal: event.currentTarget.checked })}
          />
        </div>
      </div>
      {BOUNDS.map(
        (bound) =>
          errors[bound] !== undefined && (
            <p key={bound} id={`${id}-${bound}`} className={classes.fieldError}>
              {errors[bound]}
            </p>
          ),
      )}
      {errors.bounds !== undefined && (
        <div className={classes.refusal}>
          <Notice role="alert" tone="danger">
            <p>Plans configure values that these bounds would not allow:</p>
            <ul>
              {errors.bounds.split('\n').map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
            <p>Change these plans first, or choose wider bounds.</p>
          </Notice>
        </div>
      )}
    </fieldset>
  );
}

interface BoundFieldProps {
  readonly label: string;
  readonly value: number | null;
  /** The error's id. The error is rendered below both bounds, so their columns do not move. */
  readonly errorId: string | undefined;
  readonly onChange: (value: number | null) => void;
}

function BoundField({ label, value, errorId, onChange }: BoundFieldProps) {
  const id = useId();
  return (
    <div className={classes.bound}>
      <label htmlFor={id}>{label}</label>
      <NumberField
        id={id}
        label={label}
        value={value}
        onChange={onChange}
        placeholder="None"
        width={11}
        isInvalid={errorId !== undefined}
        describedBy={errorId}
      />
    </div>
  );
}

export function DefaultValueFields({ form }: { form: PropertyForm }) {
  const { values, errors, set } = form;
  const { type, value } = values;
  const meterErrors = Object.fromEntries(
    Object.entries(errors)
      .filter(([path]) => path.startsWith('value.'))
      .map(([path, message]) => [path.slice('value.'.length), message]),
  );
  return (
    <fieldset className={classes.group}>
      <legend>Default value</legend>
      <ValueEditor
        type={type}
        bounds={boundsOf(values)}
        label="Default value"
        size="regular"
        value={value}
        onChange={(next) => set({ value: next })}
        error={errors.value}
      />
      {typeof value === 'object' && value?.state === 'metered' && (
        <div className={classes.meter}>
          <MeterEditor
            label="the default value"
            size="regular"
            meter={value.meter}
            onChange={(meter) => set({ value: { state: 'metered', meter } })}
            errors={meterErrors}
          />
        </div>
      )}
      <p className={classes.fieldHint}>
        What access checks answer where none of the customer’s plans sets it.
      </p>
    </fieldset>
  );
}

const RESOLUTIONS = ['higher', 'lower'] as const satisfies readonly ConflictResolution[];

export function ResolutionField({ form }: { form: PropertyForm }) {
  const { type, conflictResolution } = form.values;
  return (
    <fieldset className={classes.group}>
      <legend>When plans differ</legend>
      <div className={classes.resolutions}>
        {RESOLUTIONS.map((resolution) => (
          <label key={resolution} className={classes.resolution}>
            <input
              type="radio"
              name="conflict-resolution"
              checked={resolution === conflictResolution}
              onChange={() => form.set({ conflictResolution: resolution })}
            />
            {resolutionLabel(resolution, type)}
          </label>
        ))}
      </div>
      <p className={classes.fieldHint}>For customers who hold several plans that set this property.</p>
    </fieldset>
  );
}
