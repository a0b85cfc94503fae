/** Edits an integration's name. */
import { TextInput } from '@mantine/core';
import type { StripeIntegration } from '#contracts/console/stripe';
import { DescriptionInput } from '#web/forms/description-input.tsx';
import { EditSection } from '#web/forms/edit-section.tsx';
import { useIntegrationForm } from './use-integration-form.ts';

const LABELS = { name: 'Name', description: 'Description' };

const entriesOf = (integration: StripeIntegration | undefined) => ({
  name: integration?.name ?? '',
  description: integration?.description ?? '',
});

export interface StripeFormProps {
  readonly integration: StripeIntegration;
}

/** @param integration undefined while it loads */
export function StripeForm({ integration }: Partial<StripeFormProps>) {
  const edit = useIntegrationForm(integration, {
    valuesOf: entriesOf,
    savedTitle: 'Stripe integration updated',
    labels: LABELS,
  });
  const { form } = edit;
  return (
    <EditSection
      title="Details"
      description="Display name in Tessera only."
      what="The integration"
      edit={edit}
    >
      <TextInput label={LABELS.name} required {...form.getInputProps('name')} />
      <DescriptionInput {...form.getInputProps('description')} />
    </EditSection>
  );
}
