/** Creates a JWT integration in place, with a default name. The quick start's JWT step. */
import { Button, Group } from '@mantine/core';
import { useForm } from '@mantine/form';
import { createJwtIntegrationSchema, DEFAULT_CLAIM_INDEX } from '#contracts/console/integrations';
import { checkForm } from '#web/api/check-form.ts';
import { showFormError } from '#web/forms/show-form-error.ts';
import { useKeptForm } from '#web/forms/use-kept-draft.ts';
import { UnsavedChanges } from '#web/ui/dialogs/unsaved-changes.tsx';
import { Fields } from '#web/ui/inputs/fields.tsx';
import { ClaimFields } from './claim-fields.tsx';
import { useCreateJwtIntegration } from './mutations.ts';
import { PublicKeyField } from './public-key-field.tsx';

/** The name can be changed on the integration's page. */
export const ONBOARDING_NAME = 'Onboarding JWT Integration';

export interface OnboardingJwtFormProps {
  readonly orgId: string;
  /** Undefined if the step cannot be skipped any more. */
  readonly onSkip: (() => void) | undefined;
  readonly isSkipping: boolean;
}

export function OnboardingJwtForm({ orgId, onSkip, isSkipping }: OnboardingJwtFormProps) {
  const create = useCreateJwtIntegration(orgId);
  const form = useForm({
    initialValues: {
      name: ONBOARDING_NAME,
      publicKey: '',
      claimKey: '',
      claimIndex: DEFAULT_CLAIM_INDEX,
      quickStart: true,
    },
    validate: checkForm(createJwtIntegrationSchema),
  });
  useKeptForm('create', form);
  const submit = form.onSubmit((values) =>
    create.mutate(values, {
      onSuccess: () => form.reset(),
      onError: (error) => showFormError(form, error, { title: 'The integration was not created' }),
    }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedChanges isDirty={() => form.isDirty() && !create.isSuccess} param="step" />
      <Fields isWide isDisabled={create.isPending}>
        <PublicKeyField label="Public key" {...form.getInputProps('publicKey')} />
        <ClaimFields form={form} />
        <Group gap={8}>
          <Button type="submit" loading={create.isPending}>
            Create integration
          </Button>
          {onSkip && (
            <Button variant="default" onClick={onSkip} loading={isSkipping}>
              Skip this step
            </Button>
          )}
        </Group>
      </Fields>
    </form>
  );
}
