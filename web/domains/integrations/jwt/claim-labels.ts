/** Labels for how a token's claim is looked up. */
import type { ClaimIndex } from '#contracts/console/integrations';

export const CLAIM_INDEXES: readonly { readonly value: ClaimIndex; readonly label: string }[] = [
  { value: 'stripe_customer_id', label: 'Stripe customer id' },
  { value: 'email', label: 'E-mail address' },
];

export const CLAIM_HINTS: Record<ClaimIndex, string> = {
  stripe_customer_id: 'The claim holds an id such as cus_NffrFeUfNV2Hib.',
  email: 'The claim holds an address that your sign-in has verified. Capitals make no difference.',
};

/** Used after 'as'. */
export const CLAIM_NOUNS: Record<ClaimIndex, string> = {
  stripe_customer_id: 'a Stripe customer id',
  email: 'an e-mail address',
};

export function claimIndexLabel(index: ClaimIndex): string {
  return CLAIM_INDEXES.find(({ value }) => value === index)?.label ?? index;
}
