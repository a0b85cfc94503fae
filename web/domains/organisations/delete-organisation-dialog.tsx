/** Confirms the deletion of an organisation: what will happen and when, the typed name, and the password or a mailed link. */
import { List, PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DELETION_DELAY_DAYS } from '#contracts/console/organisation-deletion';
import { DAY_MS } from '#engine/durations';
import { now } from '#web/clock.ts';
import { showFormError } from '#web/forms/show-form-error.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { useSession } from '#web/session/session.ts';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { isTypedName } from '#web/ui/dialogs/is-typed-name.ts';
import { formatDay, sentence } from '#web/ui/format.ts';
import { useMailDeletionLink, useRequestDeletion } from './deletion-mutations.ts';

export interface DeleteOrganisationDialogProps {
  readonly name: string;
  /** On the Grow plan. */
  readonly hasSubscription: boolean;
  /** The token of a mailed link, which replaces the password. */
  readonly token: string | null;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function DeleteOrganisationDialog(props: DeleteOrganisationDialogProps) {
  const orgId = useOrgId();
  const { name, hasSubscription, token, isOpen } = props;
  const { user } = useSession();
  const request = useRequestDeletion(orgId);
  const mailLink = useMailDeletionLink(orgId, user?.email ?? '');
  const form = useForm({
    initialValues: { name: '', password: '' },
    validate: {
      name: (typed) => (isTypedName(typed, name) ? null : sentence`Type the organisation’s name: ${name}`),
    },
  });
  const needsLink = token === null && form.values.password === '';
  const close = () => {
    form.reset();
    props.onClose();
  };
  const submit = form.onSubmit(({ password }) => {
    if (needsLink) return mailLink.mutate(undefined, { onSuccess: close });
    const proof = token === null ? { password } : { token };
    request.mutate(
      { name, ...proof },
      {
        onSuccess: close,
        onError: (error) => showFormError(form, error, { fields: Object.keys(form.values) }),
      },
    );
  });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title={sentence`Delete ${name}?`}
      submitLabel={needsLink ? 'Email me a link' : sentence`Delete ${name}`}
      isDanger={!needsLink}
      onSubmit={submit}
      isBusy={request.isPending || mailLink.isPending}
      isDirty={form.isDirty()}
    >
      <div>
        <Text>
          In {DELETION_DELAY_DAYS} days, on {formatDay(now() + DELETION_DELAY_DAYS * DAY_MS)}:
        </Text>
        <List mt={6} spacing={4} c="dimmed">
          <List.Item>API keys in every environment stop working. Access checks return 401.</List.Item>
          <List.Item>Features, plans, versions, customers, usage and events are erased.</List.Item>
          <List.Item>
            Stripe accounts are disconnected. Subscriptions of your customers stay as they are.
          </List.Item>
          {hasSubscription && (
            <List.Item>Your Grow subscription ends with a final invoice for usage to date.</List.Item>
          )}
        </List>
        <Text mt={10}>
          Until then everything keeps working, and owners can cancel. All owners get an email. Afterwards
          nothing can be restored.
        </Text>
      </div>
      <TextInput
        label={sentence`Type “${name}” to confirm`}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      {token === null && (
        <PasswordInput
          label="Your password"
          description="No password, or forgotten? Leave it empty to get a link by email."
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
      )}
    </FormDialog>
  );
}
