/** Overrides a property's value for one customer. The override takes precedence over plans. */
import { Fieldset, Select, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { overridePropertySchema } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { PropertyValue } from '#contracts/public/values';
import { checkForm, type FormErrors } from '#web/api/check-form.ts';
import { checkValueForm, readValue } from '#web/values/check-value-form.ts';
import { MeterEditor } from '#web/values/meter-editor.tsx';
import type { ValueDraft } from '#web/values/value-draft.ts';
import { ValueEditor } from '#web/values/value-editor.tsx';
import { type DialogState, ManualEntryDialog } from './manual-entry-dialog.tsx';
import { type EntryTerms, NO_TERMS, termsBody } from './manual-entry-fields.tsx';
import { useOverrideProperty } from './mutations.ts';

export interface OverrideDialogProps extends DialogState {
  readonly orgId: string;
  readonly identifier: string;
  readonly features: readonly Feature[];
  readonly environments: readonly Environment[];
}

interface Override extends EntryTerms {
  propertyId: string;
  value: ValueDraft;
}

/** Further properties are found by typing. */
const MOST_OPTIONS = 100;

const EMPTY: Override = { propertyId: '', value: null, ...NO_TERMS };

export function OverrideDialog({ orgId, identifier, features, ...dialog }: OverrideDialogProps) {
  const properties = new Map(features.flatMap(propertiesOf).map((property) => [property.id, property]));
  const bodyOf = (values: Override) => {
    const property = properties.get(values.propertyId);
    const value = property === undefined ? null : readValue(property, values.value);
    // `validate` reports an unreadable value, so null is never sent.
    return { propertyId: values.propertyId, value: value as PropertyValue, ...termsBody(values) };
  };
  return (
    <ManualEntryDialog
      {...dialog}
      title={`Override a property for ${identifier}`}
      submitLabel="Override property"
      size={600}
      initialValues={EMPTY}
      validate={(values) => {
        const { value, ...found } = checkForm(overridePropertySchema)(bodyOf(values));
        return { ...found, ...valueErrorsOf(properties.get(values.propertyId), values.value) };
      }}
      bodyOf={bodyOf}
      create={useOverrideProperty(orgId, identifier)}
      toastOf={({ propertyId }) => ({
        title: 'Property overridden',
        description: `${properties.get(propertyId)?.name ?? 'The property'} has its own value for ${identifier}.`,
      })}
    >
      {(form) => (
        <>
          <Select
            label="Property"
            placeholder="Choose a property"
            required
            searchable
            openOnFocus={false}
            limit={MOST_OPTIONS}
            nothingFoundMessage="No results"
            data={features.map((feature) => ({
              group: feature.name,
              items: propertiesOf(feature).map(({ id, propertyKey }) => ({
                value: id,
                label: `${feature.slug}.${propertyKey}`,
              })),
            }))}
            value={form.values.propertyId || null}
            error={form.errors.propertyId}
            onChange={(id) =>
              form.setValues({ propertyId: id ?? '', value: properties.get(id ?? '')?.value ?? null })
            }
            data-autofocus
          />
          <ValueFields form={form} property={properties.get(form.values.propertyId)} />
        </>
      )}
    </ManualEntryDialog>
  );
}

interface ValueFieldsProps {
  readonly form: UseFormReturnType<Override>;
  /** Undefined until one is chosen. */
  readonly property: FeatureProperty | undefined;
}

function ValueFields({ form, property }: ValueFieldsProps) {
  const draft = form.values.value;
  if (property === undefined) return null;
  return (
    <Fieldset legend="Value">
      <Stack gap={10}>
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
      </Stack>
    </Fieldset>
  );
}

function propertiesOf({ properties, systemFeatureProperties }: Feature): FeatureProperty[] {
  return [...systemFeatureProperties, ...properties];
}

/** Keyed by the form's paths, which begin with `value`. */
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
