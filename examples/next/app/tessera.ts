/** The one client of this server. It starts nothing: TESSERA_URL and TESSERA_KEY are read at the first call. */
import { cookies } from 'next/headers';
import { after } from 'next/server';
import { createTessera } from 'tessera-sdk';

/** Usage is sent after the response. Vercel and Netlify need no waitUntil: there it is found. */
export const tessera = createTessera({ waitUntil: after });

/** Who asks. Replace it by your sign-in: whoever pays, by Stripe customer ID, email or your own ID. */
export async function currentCustomer(): Promise<string | null> {
  return (await cookies()).get('customer')?.value ?? null;
}
