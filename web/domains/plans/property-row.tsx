/**
 * One property in the editor: name, whether the plan configures it, value, and meter. Renders again only when its own
 * value changes, or after the first attempt to save.
 */
import { Box, Group } from '@mantine/core';
import { memo, type RefCallback, useCallback, useState } from 'react';
import type { FeatureProperty } from '#contracts/console/features';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { checkValueForm, NO_VALUE_ERRORS, type ValueErrors } from '#web/values/check-value-form.ts';
import { MeterEditor } from '#web/values/meter-editor.tsx';
import { PropertyValueView } from '#web/values/property-value.tsx';
import type { MeterDraft, ValueDraft } from '#web/values/value-draft.ts';
import { ValueEditor } from '#web/values/value-editor.tsx';
import { ConfiguredSwitch } from './configured-switch.tsx';
import type { EditorDispatch } from './editor-state.ts';
import classes from './feature-editor.module.css';
import type { DraftValue } from './plan-draft.ts';

export interface PropertyRowProps {
  readonly featureId: string;
  readonly featureName: string;
  readonly property: FeatureProperty;
  /** Undefined for the default. */
  readonly entry: DraftValue | undefined;
  readonly isChanged: boolean;
  /** True after the first attempt to save: errors are shown from then on. */
  readonly isChecked: boolean;
  /** The server's error for this value. */
  readonly refusal: ValueErrors | undefined;
  readonly index: number;
  /** The property's first row in the table, counted from 1. */
  readonly rowIndex: number;
  readonly measure: RefCallback<Element> | undefined;
  readonly dispatch: EditorDispatch;
}

export const PropertyRow = memo(function PropertyRow(props: PropertyRowProps) {
  const { featureId, featureName, property, entry, isChanged, isChecked, refusal, rowIndex, dispatch } =
    props;
  /** No error is shown while the first value is being typed. */
  const [isTouched, setIsTouched] = useState(false);
  const enter = useCallback(
    (value: ValueDraft) => dispatch({ type: 'enter-value', featureId, propertyId: property.id, value }),
    [dispatch, featureId, property.id],
  );
  const enterMeter = useCallback((meter: MeterDraft) => enter({ state: 'metered', meter }), [enter]);

  const value = entry?.value;
  const meter =
    typeof value === 'object' && value !== null && value.state === 'metered' ? value.meter : undefined;
  const found = entry === undefined ? NO_VALUE_ERRORS : checkValueForm(property, entry.value);
  const shown = isTouched || isChecked ? found : NO_VALUE_ERRORS;
  const errors = shown === NO_VALUE_ERRORS && refusal !== undefined ? refusal : shown;
  const label = `${featureName}: ${property.name}`;
  return (
    <tbody
      ref={props.measure}
      data-index={props.index}
      data-property={property.id}
      data-invalid={errors !== NO_VALUE_ERRORS || undefined}
      data-changed={isChanged || undefined}
      className={classes.property}
      onBlur={() => setIsTouched(true)}
    >
      <tr aria-rowindex={rowIndex}>
        <th scope="row">
          <Group component="span" gap={6} wrap="nowrap" fz="md" title={property.description ?? undefined}>
            {property.name}
            {isChanged && (
              <Box component="span" flex="none" w={6} h={6} bdrs={2} bg="var(--accent)" title="Changed">
                <VisuallyHidden>(changed)</VisuallyHidden>
              </Box>
            )}
          </Group>
          <code className={classes.propertyKey}>{property.propertyKey}</code>
        </th>
        <td className={classes.switchCell}>
          <ConfiguredSwitch
            label={label}
            isConfigured={entry !== undefined}
            onChange={(isConfigured) =>
              dispatch(
                isConfigured
                  ? { type: 'configure-property', featureId, property }
                  : { type: 'reset-property', featureId, propertyId: property.id },
              )
            }
          />
        </td>
        <td className={classes.valueCell}>
          {entry === undefined ? (
            <span className="muted">
              <PropertyValueView type={property.type} bounds={property.bounds} value={property.value} />
            </span>
          ) : (
            <ValueEditor
              type={property.type}
              bounds={property.bounds}
              label={label}
              value={entry.value}
              onChange={enter}
              error={errors['']}
              size="compact"
            />
          )}
        </td>
      </tr>
      {meter !== undefined && (
        <tr className={classes.meterRow} aria-rowindex={rowIndex + 1}>
          <td colSpan={3}>
            <MeterEditor meter={meter} onChange={enterMeter} errors={errors} label={label} size="compact" />
          </td>
        </tr>
      )}
    </tbody>
  );
});
