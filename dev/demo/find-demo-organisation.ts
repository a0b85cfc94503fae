// The demo's organisation, whatever its owner calls it by now.
import { currentUserEndpoints } from '#contracts/console/organisations';
import type { ApiSession } from '../workspace/api-session.ts';
import { demoAccount } from './demo-account.ts';

/** @returns the demo user's organisation of that name, otherwise their first one; undefined without any */
export async function findDemoOrganisation(
  session: ApiSession,
): Promise<{ readonly id: string; readonly name: string } | undefined> {
  const organisations = await session.call(currentUserEndpoints.organisations, { params: {} });
  const own = organisations.filter(({ role }) => role === 'owner');
  return own.find(({ name }) => name === demoAccount.organisation) ?? own[0];
}
