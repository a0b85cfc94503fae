/** Creates or edits a property. For a system property only the default and the rule for several plans can be edited. */

import { Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Feature } from '#contracts/console/features';
import { featureEndpoints } from '#contracts/console/features';
import { propertyKeyFrom } from '#engine/slugs/slug';
import { toastError } from '#web/api/error-notice.ts';
import { isSame } from '#web/api/merge-edits.ts';
import { useFormChange } from '#web/api/use-change.ts';
import { DescriptionInput } from '#web/forms/description-input.tsx';
import { MonoTextInput } from '#web/forms/mono-text-input.tsx';
import { OtherPerson } from '#web/session/member-name.tsx';
import { useOrganisation, useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { sentence } from '#web/ui/format.ts';
import { EditConflict } from '#web/ui/inputs/edit-conflict.tsx';
import { followName } from '#web/ui/inputs/follow-name.ts';
import { viewOf } from '#web/values/kinds/views.ts';
import { shownField } from './conflicting-property-field.tsx';
import { CostsField } from './costs-field.tsx';
import classes from './features.module.css';
import { useUpdateProperty, useUpdateSystemProperty } from './mutations.ts';
import { createBodyOf, ofType, PROPERTY_FIELD_WORDS, updateBodyOf } from './property-form.ts';
import { DefaultValueFields, ResolutionField, TYPE_FIELDS } from './property-value-fields.tsx';
import { featuresQuery } from './queries.ts';
import { TypePicker } from './type-picker.tsx';
import { type PropertyForm, type PropertyOpening, usePropertyForm } from './use-property-form.ts';

export interface PropertyDialogProps {
  readonly feature: Feature;
  /** Null while closed. A different object resets the form. */
  readonly opening: PropertyOpening | null;
  readonly onClose: () => void;
}

export function PropertyDialog(props: PropertyDialogProps) {
  const orgId = useOrgId();
  const { feature, opening, onClose } = props;
  const create = useFormChange(featureEndpoints.createProperty, { orgId, featureId: feature.id });
  const update = useUpdateProperty(orgId, feature.id);
  const updateSystem = useUpdateSystemProperty(orgId, feature.id);
  const form = usePropertyForm(opening);

  const submit = () => {
    if (!form.check()) return;
    const answer = {
      onSuccess: () => {
        toast.success('Feature Properties Updated');
        onClose();
      },
      onError: (error: unknown) => {
        if (form.showFormError(error)) return;
        toastError(error);
      },
    };
    if (form.opening.kind === 'new') return create.mutate(createBodyOf(form.values), answer);
    const { property, kind } = form.opening;
    const body = { ...updateBodyOf(form.base, form.values), updatedAt: form.updatedAt };
    const mutation = kind === 'system' ? updateSystem : update;
    mutation.mutate({ propertyId: property.id, body }, answer);
  };
  const TypeFields = TYPE_FIELDS[form.values.type];
  const saveLabel = form.kind === 'new' ? 'Create property' : 'Save changes';
  return (
    <FormDialog
      isOpen={opening !== null}
      onClose={onClose}
      title={
        form.opening.kind === 'new' ? sentence`Add a property to ${feature.name}` : form.opening.property.name
      }
      submitLabel={saveLabel}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      isBusy={create.isPending || update.isPending || updateSystem.isPending}
      isDirty={form.isDirty}
      size={600}
    >
      <PropertyConflictNotice form={form} saveLabel={saveLabel} />
      {form.kind !== 'new' && <FixedFields form={form} />}
      {form.kind !== 'system' && <DescribingFields key={form.kind} form={form} />}
      {TypeFields !== null && form.kind !== 'system' && <TypeFields form={form} />}
      <DefaultValueFields form={form} />
      <ResolutionField form={form} />
      {form.values.type === 'meterable' && (
        <>
          <CostsField form={form} />
          <Switch
            label="A balance opens the feature"
            description="Customers can use what they bought without a plan that has the feature."
            checked={form.values.balanceOpens}
            error={form.errors.balanceOpens}
            onChange={(event) => form.set({ balanceOpens: event.currentTarget.checked })}
          />
        </>
      )}
    </FormDialog>
  );
}

function PropertyConflictNotice({ form, saveLabel }: { form: PropertyForm; saveLabel: string }) {
  const { conflict, base, values, isDirty, set } = form;
  const { limitOrder } = useOrganisation();
  const { data: features = [] } = useQuery(featuresQuery(useOrgId()));
  if (conflict === null || !isDirty) return null;
  return (
    <EditConflict
      what="The property"
      who={<OtherPerson userId={conflict.changedBy} />}
      saveLabel={saveLabel}
      taken={conflict.taken.map((field) => PROPERTY_FIELD_WORDS[field])}
      fields={conflict.conflicts
        .filter((field) => !isSame(values[field], base[field]))
        .map((field) => ({
          name: PROPERTY_FIELD_WORDS[field],
          mine: shownField(field, values, limitOrder, features),
          theirs: shownField(field, base, limitOrder, features),
          onTake: () => set({ [field]: base[field] }),
        }))}
    />
  );
}

function FixedFields({ form }: { form: PropertyForm }) {
  return (
    <dl className={classes.fixed}>
      <div>
        <dt>Key</dt>
        <dd>
          <CopyId value={form.values.propertyKey} label="key" />
        </dd>
      </div>
      <div>
        <dt>Type</dt>
        <dd>{viewOf(form.values.type).label}</dd>
      </div>
    </dl>
  );
}

function DescribingFields({ form }: { form: PropertyForm }) {
  const { values, errors, set } = form;
  const isNew = form.kind === 'new';
  return (
    <>
      <TextInput
        label="Name"
        placeholder="Rows per export"
        required
        data-autofocus
        value={values.name}
        error={errors.name}
        onChange={(event) => {
          const name = event.currentTarget.value;
          const before = { name: values.name, slug: values.propertyKey };
          const propertyKey = isNew ? followName(before, name, propertyKeyFrom) : before.slug;
          set(propertyKey === before.slug ? { name } : { name, propertyKey });
        }}
      />
      {isNew && (
        <MonoTextInput
          label="Key"
          description="The name of the value in your code."
          placeholder="rows-per-export"
          required
          value={values.propertyKey}
          error={errors.propertyKey}
          onChange={(event) => set({ propertyKey: event.currentTarget.value })}
        />
      )}
      <DescriptionInput
        minRows={1}
        value={values.description}
        error={errors.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      {isNew && <TypePicker value={values.type} onChange={(type) => set(ofType(type, values))} />}
    </>
  );
}
