/** The fields that select the claim which identifies a token's user, and how it is looked up. */
import type { UseFormReturnType } from '@mantine/form';
import type { ClaimIndex } from '#contracts/console/integrations';
import { MonoTextInput } from '#web/forms/mono-text-input.tsx';
import { SegmentedInput } from '#web/ui/inputs/segmented-input.tsx';
import { CLAIM_HINTS, CLAIM_INDEXES } from './claim-labels.ts';

export interface ClaimValues {
  claimKey: string;
  claimIndex: ClaimIndex;
}

export function ClaimFields<Values extends ClaimValues>({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <>
      <MonoTextInput
        label="Claim key"
        description="The claim that identifies the user. Use dots for nested claims: user.stripe_id."
        placeholder="email"
        required
        {...form.getInputProps('claimKey')}
      />
      <SegmentedInput
        label="Looked up as"
        description={CLAIM_HINTS[form.values.claimIndex]}
        data={[...CLAIM_INDEXES]}
        {...form.getInputProps('claimIndex')}
      />
    </>
  );
}
