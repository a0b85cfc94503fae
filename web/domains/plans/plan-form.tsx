/** Edits a plan's name, slug, description, and who gets it without a product. Sends only changed fields. */
import { Switch, TextInput } from '@mantine/core';
import { type Plan, planSchema, updatePlanSchema } from '#contracts/console/plans';
import { DescriptionInput } from '#web/forms/description-input.tsx';
import { EditSection } from '#web/forms/edit-section.tsx';
import { MonoTextInput } from '#web/forms/mono-text-input.tsx';
import { SlugDialog } from '#web/forms/slug-dialog.tsx';
import { useEditForm } from '#web/forms/use-edit-form.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { useUpdatePlan } from './mutations.ts';

const LABELS = {
  name: 'Name',
  slug: 'Slug',
  description: 'Description',
  grantToAnonymousSessions: 'Assign to Anonymous Users',
  grantToAuthenticatedUsers: 'Assign to Registered Users',
  isAddOn: 'Add-on',
  isPublic: 'Shown publicly',
};

const valuesOf = (plan: Plan | undefined) => ({
  name: plan?.name ?? '',
  slug: plan?.planSlug ?? '',
  description: plan?.description ?? '',
  grantToAnonymousSessions: plan?.grantToAnonymousSessions ?? false,
  grantToAuthenticatedUsers: plan?.grantToAuthenticatedUsers ?? false,
  isAddOn: plan?.isAddOn ?? false,
  isPublic: plan?.isPublic ?? false,
});

export interface PlanFormProps {
  readonly planId: string;
  /** Undefined while it loads. */
  readonly plan: Plan | undefined;
}

export function PlanForm({ planId, plan }: PlanFormProps) {
  const orgId = useOrgId();
  const update = useUpdatePlan(orgId, planId);
  const edit = useEditForm({
    item: plan,
    itemSchema: planSchema,
    valuesOf,
    bodySchema: updatePlanSchema,
    update,
    savedTitle: 'Plan updated',
    labels: LABELS,
    mustAsk: (before, after) => before.slug !== after.slug,
  });
  const { form, question } = edit;
  return (
    <>
      <EditSection
        title="Details"
        description="The plan’s name, and the slug your code uses."
        what="The plan"
        edit={edit}
      >
        <TextInput label={LABELS.name} required {...form.getInputProps('name')} />
        <MonoTextInput
          label={LABELS.slug}
          description="Used in your code. Deployed versions keep the slug they were created with."
          required
          {...form.getInputProps('slug')}
        />
        <DescriptionInput {...form.getInputProps('description')} />
        <Switch
          label={LABELS.grantToAnonymousSessions}
          description="Everyone who isn’t signed in gets this plan."
          {...form.getInputProps('grantToAnonymousSessions', { type: 'checkbox' })}
        />
        <Switch
          label={LABELS.grantToAuthenticatedUsers}
          description="Everyone who is signed in gets this plan, in addition to plans they pay for."
          {...form.getInputProps('grantToAuthenticatedUsers', { type: 'checkbox' })}
        />
        <Switch
          label={LABELS.isAddOn}
          description="Counts only for customers who have a plan that isn’t an add-on."
          {...form.getInputProps('isAddOn', { type: 'checkbox' })}
        />
        <Switch
          label={LABELS.isPublic}
          description="Your pricing page can list this plan with a public key: its name, values and prices. Applies once you deploy."
          {...form.getInputProps('isPublic', { type: 'checkbox' })}
        />
      </EditSection>
      <SlugDialog item={{ itemType: 'plan', itemId: planId }} question={question} />
    </>
  );
}
