/** Edits the metadata key that holds the application's own user ids. */
import {
  type StripeIntegration,
  stripeIntegrationSchema,
  updateStripeIntegrationSchema,
} from '#contracts/console/stripe';
import { EditSection } from '#web/forms/edit-section.tsx';
import { MonoTextInput } from '#web/forms/mono-text-input.tsx';
import { useEditForm } from '#web/forms/use-edit-form.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { useUpdateStripeIntegration } from './mutations.ts';
import type { StripeFormProps } from './stripe-form.tsx';

const LABELS = { userIdKey: 'Metadata key' };

const entriesOf = ({ userIdKey }: StripeIntegration) => ({ userIdKey: userIdKey ?? '' });

export function UserIdsSection({ integration }: StripeFormProps) {
  const orgId = useOrgId();
  const edit = useEditForm({
    item: integration,
    itemSchema: stripeIntegrationSchema,
    valuesOf: entriesOf,
    bodySchema: updateStripeIntegrationSchema,
    update: useUpdateStripeIntegration(orgId, integration.id),
    savedTitle: 'Metadata key updated',
    labels: LABELS,
  });
  const { form } = edit;
  return (
    <EditSection
      title="User IDs"
      description="Check access by your own user IDs if your Stripe customers carry them in their metadata."
      what="The integration"
      saveLabel="Save metadata key"
      edit={edit}
    >
      <MonoTextInput
        label={LABELS.userIdKey}
        description="A check by the ID finds the customer that carries it, like a check by email. Emails, IDs that begin with cus_ and values over 200 characters are ignored."
        placeholder="userId"
        maw={480}
        {...form.getInputProps('userIdKey')}
      />
      {!integration.userIdsReady && (
        <p className="flush muted small">
          Reading user IDs of stored customers. They take effect in a moment.
        </p>
      )}
    </EditSection>
  );
}
