/** Settings section for platform staff: the organisation's subscription to Tessera, and maintenance actions. */

import { Button, Group, Select, Skeleton, Stack, TextInput } from '@mantine/core';
import { billingPlanSchema } from '#contracts/console/organisations';
import {
  SUDO_ACTIONS,
  type SudoAction,
  type SudoOrganisationSummary,
  sudoEndpoints,
  sudoOrganisationSummarySchema,
  updateSudoOrganisationSchema,
} from '#contracts/console/sudo';
import { useEndpoint } from '#web/api/endpoint-query.ts';
import { useFormChange } from '#web/api/use-change.ts';
import { EditSection } from '#web/forms/edit-section.tsx';
import { useEditForm } from '#web/forms/use-edit-form.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { Section } from '#web/ui/page/section.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { useSudoAction } from './mutations.ts';

const TITLE = 'Internal';
const DESCRIPTION = 'For platform staff only. The subscription’s next Stripe event sets the plan again.';

export function InternalSection() {
  const orgId = useOrgId();
  const { data, error, refetch } = useEndpoint(sudoEndpoints.getOrganisation, { orgId });
  if (data === undefined && error !== null) {
    return <ErrorState title="The internal fields could not be loaded" error={error} onRetry={refetch} />;
  }
  if (data === undefined) {
    return (
      <Section title={TITLE} description={DESCRIPTION}>
        <Stack gap={16} role="status" aria-label="Loading">
          <Skeleton height={36} maw={480} />
          <Skeleton height={36} maw={480} />
          <Skeleton height={36} maw={480} />
        </Stack>
      </Section>
    );
  }
  return (
    <>
      <InternalForm key={orgId} organisation={data} />
      <Actions />
    </>
  );
}

interface InternalValues {
  plan: SudoOrganisationSummary['plan'];
  activeStripeCustomerId: string | null;
  activeStripeSubscriptionId: string | null;
}

const LABELS: Record<keyof InternalValues, string> = {
  plan: 'Plan',
  activeStripeCustomerId: 'Payment customer ID',
  activeStripeSubscriptionId: 'Payment subscription ID',
};
const PLANS = billingPlanSchema.options.map((value) => ({
  value,
  label: value === 'build' ? 'Build' : 'Grow',
}));

function InternalForm({ organisation }: { organisation: SudoOrganisationSummary }) {
  const edit = useEditForm<SudoOrganisationSummary, InternalValues>({
    item: organisation,
    itemSchema: sudoOrganisationSummarySchema,
    valuesOf: ({ plan, activeStripeCustomerId, activeStripeSubscriptionId }) => ({
      plan,
      activeStripeCustomerId,
      activeStripeSubscriptionId,
    }),
    bodySchema: updateSudoOrganisationSchema,
    update: useFormChange(sudoEndpoints.updateOrganisation, { orgId: organisation.id }),
    savedTitle: 'Organisation updated',
    labels: LABELS,
  });
  const { form } = edit;
  const idField = (name: 'activeStripeCustomerId' | 'activeStripeSubscriptionId', placeholder: string) => (
    <TextInput
      label={LABELS[name]}
      placeholder={placeholder}
      spellCheck={false}
      {...form.getInputProps(name)}
      value={form.values[name] ?? ''}
      onChange={(event) => form.setFieldValue(name, event.currentTarget.value || null)}
    />
  );
  return (
    <EditSection
      title={TITLE}
      description={DESCRIPTION}
      what="The organisation"
      saveLabel="Save internal fields"
      edit={edit}
    >
      <Select label={LABELS.plan} data={PLANS} allowDeselect={false} {...form.getInputProps('plan')} />
      {idField('activeStripeCustomerId', 'cus_…')}
      {idField('activeStripeSubscriptionId', 'sub_…')}
    </EditSection>
  );
}

const ACTION_LABELS: Record<SudoAction, string> = {
  'clear-usage-blocks': 'Clear usage blocks',
  'billable-usage-publish': 'Publish billable usage',
  'preview-environment-publish': 'Publish preview',
  'environment-variants-update': 'Update environments',
  'rebuild-log-index': 'Rebuild log index',
  'publish-stripe-lookups': 'Publish Stripe lookups',
};

function Actions() {
  const orgId = useOrgId();
  const act = useSudoAction(orgId);
  return (
    <Section title="Actions" description="Each action is recorded in the audit log with your name.">
      <ul className="list grid divided">
        {(Object.keys(SUDO_ACTIONS) as SudoAction[]).map((action) => (
          <Group key={action} component="li" justify="space-between" gap="8px 24px" py={10}>
            <span>{SUDO_ACTIONS[action]}.</span>
            <Button
              variant="default"
              loading={act.isPending && act.variables === action}
              disabled={act.isPending && act.variables !== action}
              onClick={() => act.mutate(action, { onSuccess: ({ message }) => void toast.success(message) })}
            >
              {ACTION_LABELS[action]}
            </Button>
          </Group>
        ))}
      </ul>
    </Section>
  );
}
