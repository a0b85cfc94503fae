/** Sets the value of a property for one customer, whatever their plans say. */
import { Select } from '@mantine/core';
import { toast } from 'sonner';
import { type CustomerOverride, overridePropertySchema } from '#contracts/customers';
import type { Environment } from '#contracts/environments';
import type { Feature, FeatureProperty } from '#contracts/features';
import type { PropertyValue } from '#contracts/values';
import { checkForm, type FormErrors } from '../../api/check-form.ts';
import { showRefusal } from '../../forms/show-refusal.ts';
import { useCreateForm } from '../../forms/use-create-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { UnsavedChanges } from '../../ui/unsaved-changes.tsx';
import { checkValueForm, readValue } from '../../values/check-value-form.ts';
import { MeterEditor } from '../../values/meter-editor.tsx';
import type { ValueDraft } from '../../values/value-draft.ts';
import { ValueEditor } from '../../values/value-editor.tsx';
import {
  CircumstanceFields,
  type Circumstances,
  circumstancesOf,
  NO_CIRCUMSTANCES,
} from './circumstance-fields.tsx';
import classes from './customers.module.css';
import { useOverrideProperty } from './mutations.ts';

export interface OverrideDialogProps {
  readonly orgId: string;
  readonly identifier: string;
  readonly features: readonly Feature[];
  readonly environments: readonly Environment[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

interface Override extends Circumstances {
  propertyId: string;
  value: ValueDraft;
}

const EMPTY: Override = { propertyId: '', value: null, ...NO_CIRCUMSTANCES };

export function OverrideDialog(props: OverrideDialogProps) {
  const { orgId, identifier, features, environments, isOpen, onClose } = props;
  const override = useOverrideProperty(orgId, identifier);
  const properties = new Map(features.flatMap(propertiesOf).map((property) => [property.id, property]));
  const bodyOf = (values: Override) => {
    const property = properties.get(values.propertyId);
    const value = property === undefined ? null : readValue(property, values.value);
    // What cannot be read is refused by the form before it is sent.
    return { propertyId: values.propertyId, value: value as PropertyValue, ...circumstancesOf(values) };
  };
  const { form, dialog } = useCreateForm<Override, CustomerOverride>({
    initialValues: EMPTY,
    validate: (values) => {
      const { value, ...found } = checkForm(overridePropertySchema)(bodyOf(values));
      return { ...found, ...valueErrorsOf(properties.get(values.propertyId), values.value) };
    },
    create: { ...override, mutate: (values, answer) => override.mutate(bodyOf(values), answer) },
    onClose,
    onCreated: ({ propertyId }) =>
      toast.success('Property overridden', {
        description: `${properties.get(propertyId)?.name ?? 'The property'} has its own value for ${identifier}.`,
      }),
    showRefusal,
  });
  const { propertyId, value: draft } = form.values;
  const property = properties.get(propertyId);
  return (
    <FormDialog
      {...dialog}
      isOpen={isOpen}
      title={`Override a property for ${identifier}`}
      submitLabel="Override property"
      size={600}
    >
      <UnsavedChanges isDirty={() => isOpen && dialog.isDirty} />
      <Select
        label="Property"
        placeholder="Choose a property"
        required
        searchable
        openOnFocus={false}
        nothingFoundMessage="No results"
        data={features.map((feature) => ({
          group: feature.name,
          items: propertiesOf(feature).map(({ id, propertyKey }) => ({
            value: id,
            label: `${feature.slug}.${propertyKey}`,
          })),
        }))}
        value={propertyId || null}
        error={form.errors.propertyId}
        onChange={(id) =>
          form.setValues({ propertyId: id ?? '', value: properties.get(id ?? '')?.value ?? null })
        }
        data-autofocus
      />
      {property !== undefined && (
        <fieldset className={classes.value}>
          <legend>Value</legend>
          <ValueEditor
            type={property.type}
            bounds={property.bounds}
            label="Value"
            size="regular"
            value={draft}
            onChange={(value) => form.setFieldValue('value', value)}
            error={textOf(form.errors.value)}
          />
          {typeof draft === 'object' && draft?.state === 'metered' && (
            <MeterEditor
              label="the value"
              size="regular"
              meter={draft.meter}
              onChange={(meter) => form.setFieldValue('value', { state: 'metered', meter })}
              errors={meterErrorsOf(form.errors)}
            />
          )}
        </fieldset>
      )}
      <CircumstanceFields form={form} environments={environments} />
    </FormDialog>
  );
}

function propertiesOf({ properties, systemFeatureProperties }: Feature): FeatureProperty[] {
  return [...systemFeatureProperties, ...properties];
}

/** By the form's paths, which begin with `value`. */
function valueErrorsOf(property: FeatureProperty | undefined, draft: ValueDraft): FormErrors {
  if (property === undefined) return {};
  return Object.fromEntries(
    Object.entries(checkValueForm(property, draft)).map(([path, message]) => [
      path === '' ? 'value' : `value.${path}`,
      message,
    ]),
  );
}

function meterErrorsOf(errors: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(errors).flatMap(([path, message]) =>
      path.startsWith('value.') ? [[path.slice('value.'.length), String(message)]] : [],
    ),
  );
}

const textOf = (error: unknown): string | undefined => (typeof error === 'string' ? error : undefined);
