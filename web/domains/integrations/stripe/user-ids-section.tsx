/** Edits the metadata key that holds the application's own user ids. */
import type { StripeIntegration } from '#contracts/console/stripe';
import { EditSection } from '#web/forms/edit-section.tsx';
import { MonoTextInput } from '#web/forms/mono-text-input.tsx';
import type { StripeFormProps } from './stripe-form.tsx';
import { useIntegrationForm } from './use-integration-form.ts';

const LABELS = { userIdKey: 'Metadata key' };

const entriesOf = ({ userIdKey }: StripeIntegration) => ({ userIdKey: userIdKey ?? '' });

export function UserIdsSection({ integration }: StripeFormProps) {
  const edit = useIntegrationForm(integration, {
    valuesOf: entriesOf,
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
