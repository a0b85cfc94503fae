/** The fields of a property's bounds, default value and rule for several plans. */
import { Box, Button, Fieldset, Flex, Stack, Switch, Text } from '@mantine/core';
import { type ComponentType, useId } from 'react';
import type { ConflictResolution, PropertyType } from '#contracts/public/values';
import { kindOf } from '#engine/values/kinds/kinds';
import { useOrganisation } from '#web/session/organisation.tsx';
import { formatNumber } from '#web/ui/format.ts';
import { Notice } from '#web/ui/states/notice.tsx';
import { errorsWithin } from '#web/values/check-value-form.ts';
import { fittingNumber } from '#web/values/fit-number.ts';
import { hasDetails, ValueDetails, ValueEditor } from '#web/values/kinds/value-editor.tsx';
import { viewOf } from '#web/values/kinds/views.ts';
import { NumberField } from '#web/values/number-field.tsx';
import classes from './features.module.css';
import { boundsOf, PROPERTY_FIELD_WORDS } from './property-form.ts';
import type { PropertyForm } from './use-property-form.ts';

const BOUNDS = ['min', 'max'] as const;

function BoundsFields({ form }: { form: PropertyForm }) {
  const { values, errors, set } = form;
  const id = useId();
  return (
    <Fieldset legend="Bounds">
      <Flex gap="12px 16px" wrap="wrap" align="flex-start">
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
      </Flex>
      {BOUNDS.map(
        (bound) =>
          errors[bound] !== undefined && (
            <Box key={bound} id={`${id}-${bound}`} component="p" mt={5} mb={0} fz="xs" c="var(--denied)">
              {errors[bound]}
            </Box>
          ),
      )}
      {errors.bounds !== undefined && (
        <Box mt={12} fz="sm">
          <Notice role="alert" tone="danger">
            <p>These plans have values outside the new bounds:</p>
            <Box component="ul" my={4} pl={18}>
              {errors.bounds.split('\n').map((line) => (
                <li key={line}>{line}</li>
              ))}
            </Box>
            <p>Change these plans first, or choose wider bounds.</p>
          </Notice>
        </Box>
      )}
    </Fieldset>
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
    <Stack gap={0} align="flex-start" maw={220}>
      <Box component="label" htmlFor={id} mb={4} fz="xs" lh="1rem" c="dimmed">
        {label}
      </Box>
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
    </Stack>
  );
}

/** The fields of what a type has besides, such as bounds. */
export const TYPE_FIELDS: Readonly<Record<PropertyType, ComponentType<{ form: PropertyForm }> | null>> = {
  number: BoundsFields,
  boolean: null,
  string: null,
  meterable: null,
};

export function DefaultValueFields({ form }: { form: PropertyForm }) {
  const { values, errors, set } = form;
  const { type, value } = values;
  const proposed = typeof value === 'number' ? fittingNumber(value, boundsOf(values)) : null;
  return (
    <Fieldset legend="Default value">
      <ValueEditor
        type={type}
        bounds={boundsOf(values)}
        label="Default value"
        size="regular"
        value={value}
        onChange={(next) => set({ value: next })}
        error={errors.value}
      />
      {proposed !== null && (
        <Flex role="status" gap={8} mt={6} wrap="wrap" align="center" className="small">
          <span className="muted">{formatNumber(Number(value))} does not fit the bounds.</span>
          <Button variant="default" size="compact-xs" onClick={() => set({ value: proposed })}>
            {`Use ${formatNumber(proposed)}`}
          </Button>
        </Flex>
      )}
      {hasDetails(type, value) && (
        <Box mt={8} py={10} px={12} className="well">
          <ValueDetails
            type={type}
            label="the default value"
            size="regular"
            value={value}
            onChange={(next) => set({ value: next })}
            errors={errorsWithin('value', errors)}
          />
        </Box>
      )}
      <Text fz="xs" c="dimmed" mt={6}>
        Returned when none of the customer’s plans sets a value.
      </Text>
    </Fieldset>
  );
}

function resolutionsOf(type: PropertyType): readonly ConflictResolution[] {
  return kindOf(type).sum !== null ? ['higher', 'lower', 'sum'] : ['higher', 'lower'];
}

export function ResolutionField({ form }: { form: PropertyForm }) {
  const { type, conflictResolution } = form.values;
  const { limitOrder } = useOrganisation();
  return (
    <Fieldset legend="When plans differ">
      <Flex gap="4px 20px" wrap="wrap">
        {resolutionsOf(type).map((resolution) => (
          <Box
            key={resolution}
            component="label"
            mih="max(28px, var(--touch-height))"
            className="row pointer gap-8"
          >
            <input
              type="radio"
              name="conflict-resolution"
              className="native-check"
              checked={resolution === conflictResolution}
              onChange={() => form.set({ conflictResolution: resolution })}
            />
            {viewOf(type).ruleLabel(resolution, limitOrder)}
          </Box>
        ))}
      </Flex>
      <Text fz="xs" c="dimmed" mt={6}>
        {conflictResolution === 'sum'
          ? 'When several plans set a value, and for each unit of a quantity.'
          : 'When several plans set a value.'}
      </Text>
    </Fieldset>
  );
}
