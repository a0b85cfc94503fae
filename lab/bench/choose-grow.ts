// Puts organisations of a benchmark on Grow: the Build plan blocks after 100,000 calls a month, which a benchmark makes in seconds.
import { sudoEndpoints } from '#contracts/console/sudo';
import { demoAccount } from '../../dev/demo/demo-account.ts';
import type { ApiSession } from '../../dev/workspace/api-session.ts';
import { signInAs } from '../../dev/workspace/sign-in.ts';

const sessions = new Map<string, Promise<ApiSession>>();

/** By staff who belong to no organisation: nobody may choose the plan of their own. */
export async function chooseGrow(baseUrl: string, orgId: string): Promise<void> {
  let staff = sessions.get(baseUrl);
  if (staff === undefined) {
    staff = staffSession(baseUrl);
    sessions.set(baseUrl, staff);
  }
  await (await staff).call(sudoEndpoints.updateOrganisation, { params: { orgId }, body: { plan: 'grow' } });
}

async function staffSession(baseUrl: string): Promise<ApiSession> {
  const session = await signInAs(baseUrl, { ...demoAccount, email: 'staff@bench.example' });
  await session.send('POST', '/dev/staff');
  return session;
}
