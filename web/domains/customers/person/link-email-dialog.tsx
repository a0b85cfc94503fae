/** Confirms that an email belongs to a Stripe customer, and says what moves to the customer. */
import { List } from '@mantine/core';
import type { LinkedCustomer } from '#contracts/console/linked-customer';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { useLastValue } from '#web/ui/dialogs/use-last-value.ts';
import { counted } from '#web/ui/format.ts';
import { useLinkEmail } from '../mutations.ts';

export interface LinkEmailDialogProps {
  readonly email: string;
  /** Null: closed. */
  readonly chosen: LinkedCustomer | null;
  /** The customer that the email belongs to now. */
  readonly owner: LinkedCustomer | undefined;
  /** The email's own manual entries. */
  readonly grants: number;
  readonly overrides: number;
  readonly onClose: () => void;
}

export function LinkEmailDialog(props: LinkEmailDialogProps) {
  const orgId = useOrgId();
  const { email, chosen, owner, grants, overrides, onClose } = props;
  const link = useLinkEmail(orgId, email);
  const shown = useLastValue(chosen);
  if (shown === null) return null;
  const { id, integrationId } = shown;
  const submit = () =>
    link.mutate(
      { integrationId, customerId: id },
      {
        onSuccess: () => toast.success('Email linked', { description: `${email} belongs to ${id}.` }),
        onSettled: onClose,
      },
    );
  return (
    <ConfirmDialog
      isOpen={chosen !== null}
      onClose={onClose}
      title={`Link ${email} to Stripe customer ${id}?`}
      confirmLabel={`Link to ${id}`}
      isBusy={link.isPending}
      isDanger={false}
      size={520}
      onConfirm={submit}
    >
      Stripe does not verify emails. Link only if you know that both are the same person. This will apply to{' '}
      {id}:
      <List mt={8} mb={8} aria-label="What moves">
        <List.Item>{countedOrNone(grants, 'manual grant')}</List.Item>
        <List.Item>{countedOrNone(overrides, 'override')}</List.Item>
        <List.Item>usage counted under this email</List.Item>
      </List>
      {owner !== undefined && `Usage and plans of ${owner.id} stay with ${owner.id}. `}
      Usage that has moved can’t be moved back.
    </ConfirmDialog>
  );
}

const countedOrNone = (count: number, noun: string) => (count === 0 ? `no ${noun}s` : counted(count, noun));
