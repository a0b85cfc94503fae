/** The optional claim that names one of the customer's members. */
import type { UseFormReturnType } from '@mantine/form';
import { MonoTextInput } from '#web/forms/mono-text-input.tsx';

export const MEMBER_CLAIM = 'Member claim';

interface MemberClaimValues {
  entityClaimKey: string;
}

export function MemberClaimField<Values extends MemberClaimValues>({
  form,
}: {
  form: UseFormReturnType<Values>;
}) {
  return (
    <MonoTextInput
      label={MEMBER_CLAIM}
      description="Optional. If the customer is a team: the claim with the user’s own ID. Usage then also counts for that member."
      placeholder="sub"
      {...form.getInputProps('entityClaimKey')}
    />
  );
}
