/** Confirms that a customer created by API and a Stripe customer are one, or that they are not, and says what is whose then. */
import { Box, List } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Environment } from '#contracts/console/environments';
import type { LinkedCustomer } from '#contracts/console/linked-customer';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { useLastValue } from '#web/ui/dialogs/use-last-value.ts';
import { formatNumber, sentence } from '#web/ui/format.ts';
import { useJoinCustomer, useSeparateCustomer } from '../mutations.ts';
import { sourceUsageQuery } from '../queries.ts';

export interface JoinDialogProps {
  /** The customer that was created by API. */
  readonly identifier: string;
  readonly environment: Environment;
  /** Null: closed. */
  readonly chosen: ChosenSource | null;
  readonly onClose: () => void;
}

export interface ChosenSource {
  readonly customer: LinkedCustomer;
  /** It is the customer already, and is to be separated. */
  readonly isSame: boolean;
  /** The Stripe customer of the same account and mode that is the customer now. */
  readonly replaced: LinkedCustomer | undefined;
}

export function JoinDialog({ identifier, environment, chosen, onClose }: JoinDialogProps) {
  const orgId = useOrgId();
  const join = useJoinCustomer(orgId, identifier);
  const separate = useSeparateCustomer(orgId, identifier);
  const shown = useLastValue(chosen);
  if (shown === null) return null;
  const { isSame, replaced } = shown;
  const { id, integrationId } = shown.customer;
  const done = (title: string, description: string) => ({
    onSuccess: () => toast.success(title, { description }),
    onSettled: onClose,
  });
  const source = { environmentId: environment.id, integrationId, customerId: id };
  const submit = () =>
    isSame
      ? separate.mutate(source, done('Customers separated', sentence`${id} counts for itself again.`))
      : join.mutate(source, done('One customer', sentence`${id} is ${identifier} from now on.`));
  return (
    <ConfirmDialog
      isOpen={chosen !== null}
      onClose={onClose}
      title={
        isSame
          ? sentence`Separate ${identifier} from ${id}?`
          : sentence`Are ${identifier} and ${id} the same customer?`
      }
      confirmLabel={isSame ? 'Separate' : 'Same customer'}
      isBusy={join.isPending || separate.isPending}
      isDanger={isSame}
      size={520}
      onConfirm={submit}
    >
      {isSame ? (
        <>
          In {environment.name}, {id} and its email count for themselves again. {identifier} loses everything
          that comes from {id}: plans of its subscriptions, grants and overrides. Usage that was merged can’t
          be taken back: {identifier} keeps the sum, and {id} goes on from what it had counted before.
          <SourceUsage {...{ identifier, environment, id, isSame }} />
        </>
      ) : (
        <>
          Stripe does not verify emails. Confirm only if you know that both are one customer. In{' '}
          {environment.name}, {identifier} gets what {id} has:
          <List mt={8} mb={8} aria-label="What becomes one">
            <List.Item>plans of its subscriptions</List.Item>
            <List.Item>grants and overrides</List.Item>
            <List.Item>usage</List.Item>
          </List>
          {replaced !== undefined && (
            <Box role="note" component="p" mt={8} mb={8} bdrs="md" py={10} px={16} className="warning">
              {id} replaces {replaced.id}, which is of the same Stripe account and mode. {identifier} loses
              everything that comes from {replaced.id}: plans of its subscriptions, grants and overrides.
            </Box>
          )}
          You can separate them later, but not their usage: {identifier} then keeps the sum.
          <SourceUsage {...{ identifier, environment, id, isSame }} />
        </>
      )}
    </ConfirmDialog>
  );
}

interface SourceUsageProps {
  readonly identifier: string;
  readonly environment: Environment;
  /** Of the Stripe customer. */
  readonly id: string;
  readonly isSame: boolean;
}

/** What each has used of the meters that one of them has used. */
function SourceUsage({ identifier, environment, id, isSame }: SourceUsageProps) {
  const { data } = useQuery(sourceUsageQuery(useOrgId(), identifier, environment.id, id));
  const meters = data?.meters.filter(({ used, stripeUsed }) => used > 0 || stripeUsed > 0) ?? [];
  if (meters.length === 0) return null;
  return (
    <List mt={8} aria-label={isSame ? 'Usage of each from then on' : 'Usage that adds up'}>
      {meters.map(({ featureName, propertyName, used, stripeUsed }) => (
        <List.Item key={`${featureName} ${propertyName}`}>
          {featureName}, {propertyName}: {formatNumber(used)} {isSame ? 'stay with' : 'of'} {identifier},{' '}
          {formatNumber(stripeUsed)} {isSame ? 'are of' : 'of'} {id}
        </List.Item>
      ))}
    </List>
  );
}
