import { cookies } from 'next/headers';

/** Who pays: a Stripe customer ID, an email or your own ID. Replace the cookie with your sign-in. */
export async function currentCustomer(): Promise<string | null> {
  const jar = await cookies();
  return jar.get('customer')?.value ?? null;
}
