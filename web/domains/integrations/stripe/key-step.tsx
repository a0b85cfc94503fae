/**
 * The first step: the secret key. Errors appear at the field with the reason: unknown key, missing permission, or
 * Stripe is not reachable. No input is lost.
 */
import { Anchor, Button, Fieldset, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { StripeIntegration } from '#contracts/console/stripe';
import { ApiError } from '#web/api/api-error.ts';
import { UnsavedChanges } from '#web/ui/dialogs/unsaved-changes.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { AskingStripe } from './asking-stripe.tsx';
import { checkSecretKey } from './check-secret-key.ts';
import { KeyHelp } from './key-help.tsx';
import { useConnectStripe } from './mutations.ts';
import { SecretKeyField } from './secret-key-field.tsx';

export const INVALID_KEY = 'Invalid Secret Key';

export interface KeyStepProps {
  readonly orgId: string;
  readonly onConnected: (integration: StripeIntegration) => void;
  /** Marks the integration as created by the quick start. */
  readonly isQuickStart?: boolean;
  /** A key to try it with: that of the Stripe emulator, on a server that calls one. */
  readonly emulatorKey?: string | null;
}

export function KeyStep({ orgId, onConnected, isQuickStart = false, emulatorKey = null }: KeyStepProps) {
  const connect = useConnectStripe(orgId);
  const form = useForm({ initialValues: { secretKey: '' }, validate: { secretKey: checkSecretKey } });
  const submit = form.onSubmit(({ secretKey }) =>
    connect.mutate(
      { secretKey, quickStart: isQuickStart },
      {
        onSuccess: (made) => {
          form.reset();
          onConnected(made);
        },
        onError: () => form.setErrors({ secretKey: INVALID_KEY }),
      },
    ),
  );
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedChanges isDirty={() => form.isDirty() && !connect.isSuccess} param="step" />
      <Stack gap={16}>
        <Fieldset maw={480} disabled={connect.isPending}>
          <SecretKeyField
            label="Secret key"
            description="Stored encrypted. It can’t be shown again."
            data-autofocus
            {...form.getInputProps('secretKey')}
          />
        </Fieldset>
        {emulatorKey !== null && (
          <Text fz="sm" c="dimmed">
            This server calls the Stripe emulator. Use its key <code>{emulatorKey}</code>.{' '}
            <Anchor
              component="button"
              type="button"
              fz="sm"
              onClick={() => form.setFieldValue('secretKey', emulatorKey)}
            >
              Fill it in
            </Anchor>
          </Text>
        )}
        {connect.isError && <KeyRefused error={connect.error} />}
        <AskingStripe isAsking={connect.isPending} />
        <KeyHelp />
        <div>
          <Button type="submit" loading={connect.isPending}>
            Connect Stripe
          </Button>
        </div>
      </Stack>
    </form>
  );
}

export function KeyRefused({ error }: { error: Error }) {
  const isApiError = error instanceof ApiError;
  const isUnavailable =
    isApiError && (error.errorType === 'unavailable' || error.errorType === 'server-error');
  return (
    <Notice
      role="alert"
      title={isUnavailable ? 'Stripe could not be reached' : 'The key cannot be used'}
      requestId={isApiError ? error.requestId : undefined}
    >
      {error.message || 'Something went wrong on our side. Nothing was stored.'} What you entered is kept.
    </Notice>
  );
}
