/** The secret key, masked, and a form that replaces it. A key that Stripe rejects replaces nothing. */
import { Button, Fieldset, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { StripeIntegration } from '#contracts/console/stripe';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { UnsavedChanges } from '#web/ui/dialogs/unsaved-changes.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { AskingStripe } from './asking-stripe.tsx';
import { checkSecretKey } from './check-secret-key.ts';
import { KeyHelp } from './key-help.tsx';
import { INVALID_KEY, KeyRefused } from './key-step.tsx';
import { useUpdateStripeIntegration } from './mutations.ts';
import { SecretKeyField } from './secret-key-field.tsx';
import classes from './stripe.module.css';

export function SecretKeySection({ integration }: { readonly integration: StripeIntegration }) {
  const orgId = useOrgId();
  const { id, maskedKey, accountId, testMode } = integration;
  const update = useUpdateStripeIntegration(orgId, id);
  const form = useForm({ initialValues: { secretKey: '' }, validate: { secretKey: checkSecretKey } });
  const isDirty = form.values.secretKey !== '';
  const submit = form.onSubmit(({ secretKey }) =>
    update.mutate(
      { secretKey },
      {
        onSuccess: () => {
          form.reset();
          toast.success('Secret key replaced', {
            description: 'Tessera uses the new key for every call to Stripe.',
          });
        },
        onError: () => form.setErrors({ secretKey: INVALID_KEY }),
      },
    ),
  );
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedChanges isDirty={() => isDirty} />
      <Section
        isSplit
        title="Secret key"
        description="Used to read from Stripe. Stored encrypted. It can’t be shown again."
        footer={
          <Button type="submit" disabled={!isDirty} loading={update.isPending}>
            Replace key
          </Button>
        }
      >
        <Stack gap={16} maw={480}>
          <div className={classes.copied}>
            <code>{maskedKey}</code>
          </div>
          <Fieldset disabled={update.isPending}>
            <SecretKeyField
              label="New secret key"
              description={`Of the same account, ${accountId}, in ${testMode ? 'test' : 'live'} mode.`}
              {...form.getInputProps('secretKey')}
              required={false}
            />
          </Fieldset>
          {update.isError && <KeyRefused error={update.error} />}
          <AskingStripe isAsking={update.isPending} />
          <KeyHelp />
        </Stack>
      </Section>
    </form>
  );
}
