/**
 * Instructions for a webhook that the user creates in Stripe: the values to copy, and a field for the signing secret.
 */
import { Button, Fieldset, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconExternalLink } from '@tabler/icons-react';
import { addStripeWebhookSchema, type StripeIntegration } from '#contracts/console/stripe';
import { checkForm } from '#web/api/check-form.ts';
import { showFormError } from '#web/forms/show-form-error.ts';
import { CopyBadge } from '#web/ui/copy/copy-badge.tsx';
import { UnsavedChanges } from '#web/ui/dialogs/unsaved-changes.tsx';
import { useAddWebhook } from './mutations.ts';
import classes from './stripe.module.css';

export interface WebhookStepProps {
  readonly orgId: string;
  readonly integration: StripeIntegration;
  /** True if there is a webhook already, which is replaced. */
  readonly onDone?: () => void;
}

export function ManualWebhook({ orgId, integration, onDone }: WebhookStepProps) {
  const { url, events } = integration.webhook;
  const add = useAddWebhook(orgId, integration.id);
  const form = useForm({
    initialValues: { mode: 'manual' as const, signingSecret: '' },
    validate: checkForm(addStripeWebhookSchema),
  });
  const submit = form.onSubmit((values) =>
    add.mutate(values, {
      onSuccess: () => {
        form.reset();
        onDone?.();
      },
      onError: (error) => showFormError(form, error, { title: 'The signing secret was not saved' }),
    }),
  );
  return (
    <form onSubmit={submit} noValidate className="full-width">
      <UnsavedChanges isDirty={() => form.isDirty()} param="step" />
      <ol className={classes.manualSteps}>
        <li>
          <p>
            Open{' '}
            <a href="https://dashboard.stripe.com/webhooks" target="_blank" rel="noreferrer">
              Webhooks in Stripe <IconExternalLink size={13} aria-hidden className={classes.outward} />
            </a>{' '}
            {integration.testMode ? 'in test mode ' : 'in live mode '}and add an endpoint with this URL:
          </p>
          <div className={classes.copied}>
            <code>{url}</code>
            <CopyBadge value={url} label="the URL" />
          </div>
        </li>
        <li>
          <p>
            Choose <strong>Your account</strong> as the scope and <strong>Snapshot</strong> as the payload
            style. Tessera doesn’t use events of connected accounts or thin payloads.
          </p>
        </li>
        <li>
          <p>Select these events:</p>
          <div className={classes.copied}>
            <ul className="list fill" aria-label="Events">
              {events.map((event) => (
                <li key={event}>
                  <code>{event}</code>
                </li>
              ))}
            </ul>
            <CopyBadge value={events.join('\n')} label="the events" />
          </div>
        </li>
        <li>
          <p>Reveal the signing secret in Stripe and paste it here:</p>
          <Fieldset maw={480} disabled={add.isPending}>
            <PasswordInput
              label="Signing secret"
              description="Stored encrypted. It can’t be shown again."
              placeholder="whsec_…"
              required
              autoComplete="off"
              spellCheck={false}
              visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the secret', tabIndex: 0 }}
              classNames={{ innerInput: 'mono' }}
              {...form.getInputProps('signingSecret')}
            />
          </Fieldset>
        </li>
      </ol>
      <Button type="submit" loading={add.isPending}>
        Save signing secret
      </Button>
    </form>
  );
}
