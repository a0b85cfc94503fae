import { currentCustomer, tessera } from '../tessera';

/** Takes one export from the monthly limit, if there is one left. In an outage it is allowed, and counted later. */
export async function POST(): Promise<Response> {
  const user = await currentCustomer();
  if (user === null) return new Response('Sign in first', { status: 401 });
  const { allowed } = await tessera.consume('data-exports.exports', { on: { user }, fallback: 'allow' });
  return allowed
    ? new Response('Exported')
    : new Response('No exports are left. Upgrade to get more.', { status: 402 });
}
