/** Sets a property's value for one customer, in the row of the property: value, environment, end and reason. */
import { Button, Fieldset, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { CustomerOverride } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { FeatureProperty } from '#contracts/console/features';
import type { PropertyValue } from '#contracts/public/values';
import { showFormError } from '#web/forms/show-form-error.ts';
import { useKeptForm } from '#web/forms/use-kept-draft.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { UnsavedChanges } from '#web/ui/dialogs/unsaved-changes.tsx';
import { sentence } from '#web/ui/format.ts';
import { errorsWithin } from '#web/values/check-value-form.ts';
import { hasDetails, ValueDetails, ValueEditor } from '#web/values/kinds/value-editor.tsx';
import { useCustomerName } from '#web/values/use-customer-name.ts';
import { ManualEntryFields, type TermsForm } from '../manual/manual-entry-fields.tsx';
import { useOverrideProperty } from '../mutations.ts';
import classes from './override-editor.module.css';
import { checkOverride, type OverrideValues, overrideBody, overrideStart } from './override-form.ts';

export interface OverrideEditorProps {
  readonly identifier: string;
  /** For screen readers: 'Exports per_month'. */
  readonly name: string;
  readonly property: FeatureProperty;
  /** The override to change; undefined: a new one. */
  readonly override: CustomerOverride | undefined;
  /** The value that applies now. */
  readonly value: PropertyValue;
  /** The one that is looked at: a new override is for it. */
  readonly environmentId: string;
  readonly environments: readonly Environment[];
  readonly onClose: () => void;
}

export function OverrideEditor(props: OverrideEditorProps) {
  const orgId = useOrgId();
  const { identifier, name, property, override, value, environmentId, environments, onClose } = props;
  const save = useOverrideProperty(orgId, identifier);
  const customer = useCustomerName(orgId, identifier);
  const form = useForm<OverrideValues>({
    initialValues: overrideStart(override, value, environmentId),
    validate: (values) => checkOverride(property, values),
  });
  useKeptForm(`override ${property.id} ${override?.id ?? 'new'}`, form);
  const draft = form.values.value;
  return (
    <form
      className={classes.editor}
      aria-label={`Override ${name}`}
      noValidate
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !form.isDirty()) onClose();
      }}
      onSubmit={form.onSubmit((values) =>
        save.mutate(overrideBody(property, values), {
          onSuccess: () => {
            toast.success('Property overridden', {
              description: sentence`${property.name} has its own value for ${customer}.`,
            });
            onClose();
          },
          onError: (error) => showFormError(form, error),
        }),
      )}
    >
      <UnsavedChanges param="environment" isDirty={() => form.isDirty() && !save.isPending} />
      <div className={classes.fields}>
        <Fieldset legend="Value">
          <Stack gap={10}>
            <ValueEditor
              type={property.type}
              bounds={property.bounds}
              label="Value"
              size="regular"
              value={draft}
              onChange={(changed) => form.setFieldValue('value', changed)}
              error={typeof form.errors.value === 'string' ? form.errors.value : undefined}
            />
            {hasDetails(property.type, draft) && (
              <ValueDetails
                type={property.type}
                label="the value"
                size="regular"
                value={draft}
                onChange={(changed) => form.setFieldValue('value', changed)}
                errors={errorsWithin('value', form.errors)}
              />
            )}
          </Stack>
        </Fieldset>
        <ManualEntryFields
          form={form as unknown as TermsForm}
          environments={environments}
          fixedEnvironment={
            override === undefined ? undefined : 'To use another environment, remove this override first.'
          }
        />
      </div>
      <Group gap={8}>
        <Button type="submit" loading={save.isPending}>
          {override === undefined ? 'Override' : 'Save override'}
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}
