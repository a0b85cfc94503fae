/** Adds a webhook. */
import { createWebhookSchema, type Webhook } from '#contracts/console/webhooks';
import { checkForm } from '#web/api/check-form.ts';
import { showFormError } from '#web/forms/show-form-error.ts';
import { useCreateForm } from '#web/forms/use-create-form.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { useCreateWebhook } from './mutations.ts';
import { type WebhookEntries, WebhookFields, type WebhookFieldsProps } from './webhook-fields.tsx';

export interface CreateWebhookDialogProps extends Pick<WebhookFieldsProps, 'environments'> {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onCreated: (created: Webhook & { readonly secret: string }) => void;
}

const EMPTY: WebhookEntries = { url: '', description: '', environmentIds: null, types: null };

export function CreateWebhookDialog({ environments, isOpen, onClose, onCreated }: CreateWebhookDialogProps) {
  const create = useCreateWebhook(useOrgId());
  const { form, dialog } = useCreateForm({
    initialValues: EMPTY,
    validate: checkForm(createWebhookSchema),
    create,
    onClose,
    onCreated,
    showFormError: (refusedForm, error) =>
      showFormError(refusedForm, error, { title: 'The webhook was not added' }),
  });
  return (
    <FormDialog {...dialog} isOpen={isOpen} title="Add a webhook" submitLabel="Add webhook" size={560}>
      <WebhookFields form={form} environments={environments} />
    </FormDialog>
  );
}
