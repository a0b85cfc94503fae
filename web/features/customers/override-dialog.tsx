/** Sets the value of a property for one customer, whatever their plans say. */
import { Select } from '@mantine/core';
import { useState } from 'react';
import { toast } from 'sonner';
import { overridePropertySchema } from '#contracts/customers';
import type { Environment } from '#contracts/environments';
import type { Feature, FeatureProperty } from '#contracts/features';
import { checkForm, errorsOf, type FormErrors } from '../../api/check-form.ts';
import { errorNotice } from '../../api/error-notice.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { UnsavedChanges } from '../../ui/unsaved-changes.tsx';
import { checkValueForm, readValue, type ValueErrors } from '../../values/check-value-form.ts';
import { MeterEditor } from '../../values/meter-editor.tsx';
import type { ValueDraft } from '../../values/value-draft.ts';
import { ValueEditor } from '../../values/value-editor.tsx';
import { ReasonField } from './correct-meter-dialog.tsx';
import classes from './customers.module.css';
import { useOverrideProperty } from './mutations.ts';
import { type Scope, ScopeFields, untilOf } from './scope-fields.tsx';

export interface OverrideDialogProps {
  readonly orgId: string;
  readonly identifier: string;
  readonly features: readonly Feature[];
  readonly environments: readonly Environment[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const ANYWHERE: Scope = { environmentId: null, until: '' };

export function OverrideDialog(props: OverrideDialogProps) {
  const { orgId, identifier, features, environments, isOpen, onClose } = props;
  const override = useOverrideProperty(orgId, identifier);
  const [property, setProperty] = useState<FeatureProperty | null>(null);
  const [draft, setDraft] = useState<ValueDraft>(null);
  const [scope, setScope] = useState(ANYWHERE);
  const [reason, setReason] = useState('');
  const [errors, setErrors] = useState<FormErrors>({});
  const properties = features.flatMap((feature) => propertiesOf(feature));
  const close = () => {
    onClose();
    setProperty(null);
    setScope(ANYWHERE);
    setReason('');
    setErrors({});
  };
  const submit = () => {
    const value = property === null ? null : readValue(property, draft);
    const valueErrors = property === null ? {} : under(checkValueForm(property, draft));
    const { environmentId } = scope;
    const body = { environmentId, propertyId: property?.id ?? '', value, reason, until: untilOf(scope) };
    const found = { ...checkForm(overridePropertySchema)(body), ...valueErrors };
    if (property === null) delete found.value;
    setErrors(found);
    if (Object.keys(found).length > 0 || value === null || property === null) return;
    override.mutate(
      { ...body, value },
      {
        onSuccess: () => {
          toast.success('Property overridden', {
            description: `${property.name} has its own value for ${identifier}.`,
          });
          close();
        },
        onError: (error) => {
          const refused = errorsOf(error);
          setErrors(refused);
          if (Object.keys(refused).length > 0) return;
          const { title, description } = errorNotice(error);
          toast.error(title, { description });
        },
      },
    );
  };
  const isDirty = property !== null || reason !== '' || scope !== ANYWHERE;
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title={`Override a property for ${identifier}`}
      submitLabel="Override property"
      isBusy={override.isPending}
      isDirty={isDirty}
      size={600}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <UnsavedChanges isDirty={() => isOpen && isDirty} />
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
        value={property?.id ?? null}
        error={errors.propertyId}
        onChange={(id) => {
          const chosen = properties.find((each) => each.id === id) ?? null;
          setProperty(chosen);
          if (chosen !== null) setDraft(chosen.value);
        }}
        data-autofocus
      />
      {property !== null && (
        <fieldset className={classes.value}>
          <legend>Value</legend>
          <ValueEditor
            type={property.type}
            bounds={property.bounds}
            label="Value"
            size="regular"
            value={draft}
            onChange={setDraft}
            error={errors.value}
          />
          {typeof draft === 'object' && draft?.state === 'metered' && (
            <MeterEditor
              label="the value"
              size="regular"
              meter={draft.meter}
              onChange={(meter) => setDraft({ state: 'metered', meter })}
              errors={meterErrors(errors)}
            />
          )}
        </fieldset>
      )}
      <ScopeFields environments={environments} scope={scope} onChange={setScope} errors={errors} />
      <ReasonField value={reason} error={errors.reason} onChange={setReason} />
    </FormDialog>
  );
}

function propertiesOf({ properties, systemFeatureProperties }: Feature): FeatureProperty[] {
  return [...systemFeatureProperties, ...properties];
}

function under(errors: ValueErrors): FormErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([path, message]) => [path === '' ? 'value' : `value.${path}`, message]),
  );
}

function meterErrors(errors: FormErrors): ValueErrors {
  return Object.fromEntries(
    Object.entries(errors).flatMap(([path, message]) =>
      path.startsWith('value.') ? [[path.slice('value.'.length), message]] : [],
    ),
  );
}
