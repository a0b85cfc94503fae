/**
 * One property in the editor. Without a value of the plan it is one line, the default with a button that sets a value; with
 * one, the value's editor with a button back to the default. Renders again only when its own value changes, or after the
 * first attempt to save.
 */
import { ActionIcon, Box, Button, Flex, Group, Text, Tooltip } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { memo, type RefCallback, useCallback, useContext, useLayoutEffect, useRef, useState } from 'react';
import type { FeatureProperty } from '#contracts/console/features';
import { VisuallyHidden } from '#web/ui/labels/visually-hidden.tsx';
import { checkValueForm, NO_VALUE_ERRORS, type ValueErrors } from '#web/values/check-value-form.ts';
import { PropertyValueView } from '#web/values/kinds/property-value.tsx';
import { hasDetails, ValueDetails, ValueEditor } from '#web/values/kinds/value-editor.tsx';
import { meterOf, type ValueDraft } from '#web/values/value-draft.ts';
import type { EditorDispatch } from './editor-state.ts';
import classes from './feature-editor.module.css';
import { OtherPeriodsContext, periodWarning } from './other-periods.ts';
import type { DraftValue } from './plan-draft.ts';
import { useMeterCosts, useSeatMeters } from './seat-meters.ts';

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

  const seatMeters = useSeatMeters(property.id);
  const costs = useMeterCosts(property);
  const value = entry?.value;
  const meter = meterOf(value);
  const others = useContext(OtherPeriodsContext).get(property.id);
  const warning = meter === undefined || others === undefined ? null : periodWarning(meter, others);
  const found = entry === undefined ? NO_VALUE_ERRORS : checkValueForm(property, entry.value);
  const shown = isTouched || isChecked ? found : NO_VALUE_ERRORS;
  const errors = shown === NO_VALUE_ERRORS && refusal !== undefined ? refusal : shown;
  const label = `${featureName}: ${property.name}`;
  const isSet = entry !== undefined;
  const cell = useFocusAfterSwitch(isSet);
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
          <code className="muted tiny regular">{property.propertyKey}</code>
        </th>
        <td className={classes.valueCell} ref={cell.ref}>
          {entry === undefined ? (
            <Flex component="span" align="center" gap={12} justify="space-between" className="muted">
              <span className="shrink">
                Default ·{' '}
                <PropertyValueView type={property.type} bounds={property.bounds} value={property.value} />
              </span>
              <Button
                variant="subtle"
                size="compact-sm"
                flex="none"
                aria-label={`Set a value for ${label}`}
                onClick={() => {
                  cell.expectSwitch();
                  dispatch({ type: 'configure-property', featureId, property });
                }}
              >
                Set a value
              </Button>
            </Flex>
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
        <td className={classes.resetCell}>
          {isSet && (
            <Tooltip label="Use the default">
              <ActionIcon
                aria-label={`Use the default for ${label}`}
                onClick={() => {
                  cell.expectSwitch();
                  dispatch({ type: 'reset-property', featureId, propertyId: property.id });
                }}
              >
                <IconArrowBackUp size={15} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
        </td>
      </tr>
      {hasDetails(property.type, value, true) && (
        <tr className={classes.meterRow} aria-rowindex={rowIndex + 1}>
          <td colSpan={3}>
            <ValueDetails
              type={property.type}
              value={value}
              onChange={enter}
              errors={errors}
              label={label}
              isOfPlan
              costs={costs}
              seatMeters={seatMeters}
              size="compact"
            />
            {warning !== null && (
              <Text fz="xs" c="dimmed" mt={6}>
                {warning}
              </Text>
            )}
          </td>
        </tr>
      )}
    </tbody>
  );
});

/** After one of the row's buttons replaced the value's control, the new control has the focus. */
function useFocusAfterSwitch(isSet: boolean) {
  const ref = useRef<HTMLTableCellElement>(null);
  const isExpected = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the control was replaced.
  useLayoutEffect(() => {
    if (!isExpected.current) return;
    isExpected.current = false;
    const control = ref.current?.querySelector<HTMLElement>('input:checked, input, textarea, select, button');
    control?.focus();
    if (control instanceof HTMLInputElement && control.type === 'text') control.select();
  }, [isSet]);
  return {
    ref,
    expectSwitch: () => {
      isExpected.current = true;
    },
  };
}
