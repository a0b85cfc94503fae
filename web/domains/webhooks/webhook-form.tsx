/** Edits a webhook's address and what it is told. A concurrent edit is shown, and no input is lost. */
import { updateWebhookSchema, type Webhook, webhookSchema } from '#contracts/console/webhooks';
import { EditSection } from '#web/forms/edit-section.tsx';
import { useEditForm } from '#web/forms/use-edit-form.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { useUpdateWebhook } from './mutations.ts';
import { type WebhookEntries, WebhookFields, type WebhookFieldsProps } from './webhook-fields.tsx';
import { environmentsLabel, typesLabel } from './webhook-labels.ts';

const LABELS = {
  url: 'Address',
  description: 'Description',
  environmentIds: 'Environments',
  types: 'Events',
};

const entriesOf = ({ url, description, environmentIds, types }: Webhook): WebhookEntries => ({
  ...{ url, description: description ?? '', environmentIds, types },
});

export interface WebhookFormProps extends Pick<WebhookFieldsProps, 'environments'> {
  readonly webhook: Webhook;
}

export function WebhookForm({ webhook, environments }: WebhookFormProps) {
  const update = useUpdateWebhook(useOrgId(), webhook.id);
  const edit = useEditForm({
    item: webhook,
    itemSchema: webhookSchema,
    valuesOf: entriesOf,
    bodySchema: updateWebhookSchema,
    update,
    savedTitle: 'Webhook updated',
    labels: LABELS,
    shown: (entries, field) => {
      if (field === 'environmentIds') return environmentsLabel(entries.environmentIds, environments);
      return (field === 'types' ? typesLabel(entries.types) : entries[field]) || 'Empty';
    },
  });
  return (
    <EditSection
      title="Settings"
      description="Where events are sent, and which ones. Events that wait are sent to the new address."
      what="The webhook"
      edit={edit}
    >
      <WebhookFields form={edit.form} environments={environments} />
    </EditSection>
  );
}
