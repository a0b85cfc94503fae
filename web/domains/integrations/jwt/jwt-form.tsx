/**
 * Edits a JWT integration's name, claim, and the accepted issuer and audience. A concurrent edit is shown, and no input
 * is lost.
 */
import { Switch, TextInput } from '@mantine/core';
import {
  type JwtIntegration,
  jwtIntegrationSchema,
  updateJwtIntegrationSchema,
} from '#contracts/console/integrations';
import { DescriptionInput } from '#web/forms/description-input.tsx';
import { EditSection } from '#web/forms/edit-section.tsx';
import { MonoTextInput } from '#web/forms/mono-text-input.tsx';
import { useEditForm } from '#web/forms/use-edit-form.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { ClaimFields } from './claim-fields.tsx';
import { claimIndexLabel } from './claim-labels.ts';
import { MEMBER_CLAIM, MemberClaimField } from './member-claim-field.tsx';
import { useUpdateJwtIntegration } from './mutations.ts';

const LABELS = {
  name: 'Name',
  description: 'Description',
  claimKey: 'Claim key',
  claimIndex: 'Looked up as',
  entityClaimKey: MEMBER_CLAIM,
  iss: 'Issuer',
  aud: 'Audience',
  acceptsUnverifiedEmails: 'Accept unverified emails',
};

const entriesOf = (integration: JwtIntegration | undefined) => ({
  name: integration?.name ?? '',
  description: integration?.description ?? '',
  claimKey: integration?.claimKey ?? '',
  claimIndex: integration?.claimIndex ?? 'email',
  entityClaimKey: integration?.entityClaimKey ?? '',
  iss: integration?.iss ?? '',
  aud: integration?.aud ?? '',
  acceptsUnverifiedEmails: integration?.acceptsUnverifiedEmails ?? false,
});
type Entries = ReturnType<typeof entriesOf>;

const UNVERIFIED_ACCEPTED =
  'Tokens with email_verified: false get the plans and usage of the customer with that email. Turn this off unless your provider always sends false: otherwise anyone who signs up with a customer’s email gets what the customer pays for.';

const shown = (entries: Entries, field: keyof Entries) => {
  if (field === 'acceptsUnverifiedEmails') return entries.acceptsUnverifiedEmails ? 'on' : 'off';
  return (field === 'claimIndex' ? claimIndexLabel(entries.claimIndex) : entries[field]) || 'Empty';
};

export interface JwtFormProps {
  /** Undefined while it loads. */
  readonly integration: JwtIntegration | undefined;
}

export function JwtForm({ integration }: JwtFormProps) {
  const orgId = useOrgId();
  const update = useUpdateJwtIntegration(orgId, integration?.id ?? '');
  const edit = useEditForm({
    item: integration,
    itemSchema: jwtIntegrationSchema,
    valuesOf: entriesOf,
    bodySchema: updateJwtIntegrationSchema,
    update,
    savedTitle: 'JWT integration updated',
    labels: LABELS,
    shown,
  });
  const { form } = edit;
  return (
    <EditSection
      title="Manage"
      description="How tokens are verified, and which claim identifies the user."
      what="The integration"
      edit={edit}
    >
      <TextInput label="Name" required {...form.getInputProps('name')} />
      <DescriptionInput {...form.getInputProps('description')} />
      <ClaimFields form={form} />
      {form.values.claimIndex === 'email' && (
        <Switch
          label="Accept unverified emails"
          description={
            form.values.acceptsUnverifiedEmails
              ? UNVERIFIED_ACCEPTED
              : 'Tokens with email_verified: false are treated as anonymous sessions.'
          }
          {...form.getInputProps('acceptsUnverifiedEmails', { type: 'checkbox' })}
        />
      )}
      <MemberClaimField form={form} />
      <MonoTextInput
        label="Issuer"
        description="Optional. Only accept tokens with exactly this iss."
        placeholder="https://id.example.com"
        {...form.getInputProps('iss')}
      />
      <MonoTextInput
        label="Audience"
        description="Optional. Only accept tokens whose aud contains this. Set it if the same keys sign tokens for other products."
        {...form.getInputProps('aud')}
      />
    </EditSection>
  );
}
