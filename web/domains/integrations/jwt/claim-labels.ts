/** Labels for how a token's claim is looked up. */
import type { ClaimIndex } from '#contracts/console/integrations';

export const CLAIM_INDEXES: readonly { readonly value: ClaimIndex; readonly label: string }[] = [
  { value: 'stripe_customer_id', label: 'Stripe customer ID' },
  { value: 'email', label: 'Email' },
];

export const CLAIM_HINTS: Record<ClaimIndex, string> = {
  stripe_customer_id:
    'The claim contains a Stripe customer ID, such as cus_NffrFeUfNV2Hib or an ID that you chose.',
  email: 'The claim contains a verified email. Upper and lower case are treated the same.',
};

/** Used after 'as'. */
export const CLAIM_NOUNS: Record<ClaimIndex, string> = {
  stripe_customer_id: 'a Stripe customer ID',
  email: 'an email',
};

export function claimIndexLabel(index: ClaimIndex): string {
  return CLAIM_INDEXES.find(({ value }) => value === index)?.label ?? index;
}
