/** What a call that creates or changes a customer asks for: fields that it leaves out stay as they are. */
import { canonicalOf, readIdentifier } from '#contracts/public/identifiers';
import { conflicting, invalidField } from './api-error.ts';

export interface CustomerDetails {
  readonly name: string | null;
  /** Canonical. */
  readonly email: string | null;
  readonly userId: string | null;
}

/**
 * @param identifier canonical
 * @param isAtStripe the id is a Stripe customer's own, whatever it looks like
 * @param created null: it does not exist yet
 * @throws {ApiError} conflict naming customer; invalid-request naming email or userId
 */
export function savedDetails(
  identifier: string,
  isAtStripe: boolean,
  created: CustomerDetails | null,
  change: { readonly [Field in keyof CustomerDetails]?: CustomerDetails[Field] | undefined },
): CustomerDetails {
  const read = readIdentifier(identifier);
  const kind = read.ok ? read.kind : 'other';
  if (isAtStripe)
    throw conflicting(
      'customer-in-stripe',
      'customer',
      'Is a Stripe customer. Its name and email come from Stripe',
    );
  if (kind === 'stripe-customer')
    throw conflicting(
      'customer-in-stripe',
      'customer',
      'No connected account has this Stripe customer. Use an ID that does not begin with cus_',
    );
  const given = change.email === undefined ? (created?.email ?? null) : change.email;
  const canonical = given === null ? null : canonicalOf(given);
  if (kind === 'email' && canonical !== null && canonical !== identifier)
    throw invalidField('email', 'Must be the customer’s ID, which is an email');
  const email = kind === 'email' ? null : canonical;
  const name = change.name === undefined ? (created?.name ?? null) : change.name;
  const userId = change.userId === undefined ? (created?.userId ?? null) : change.userId;
  if (userId === identifier) throw invalidField('userId', 'Is the customer’s ID already');
  return { name, email, userId };
}
