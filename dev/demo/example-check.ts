// The example access check that `npm start` prints: for a Stripe subscriber in the test environment if the demo has both,
// otherwise for any user in the live environment.
import { apiKeyEndpoints } from '#contracts/console/api-keys';
import { customerEndpoints } from '#contracts/console/customers';
import { type Environment, environmentEndpoints } from '#contracts/console/environments';
import type { Workspace } from '../workspace/build-workspace.ts';
import { teamSubscriber, trialCustomer } from './demo-customers.ts';

export interface ExampleCheck {
  /** Introduces the command: the subject and the environment. */
  intro: string;
  /** A shell command. */
  curl: string;
}

/** Reads only: it runs at every start, on a demo that its owner may have changed. */
export async function findExampleCheck(workspace: Workspace, baseUrl: string): Promise<ExampleCheck> {
  const { session, orgId } = workspace;
  const environments = await session.call(environmentEndpoints.list, { params: { orgId } });
  const test = environments.find(({ type }) => type === 'test');
  const testKey = test && (await findSecretKey(workspace, test));
  const subscription = testKey && (await findSubscription(workspace));
  if (test && testKey && subscription) {
    return {
      intro: `${subscription} in Stripe. Check what that allows in ${test.name}:`,
      curl: accessCheckCommand(baseUrl, testKey, teamSubscriber.email),
    };
  }
  const live = environments.find(({ type }) => type === 'live');
  const liveKey = live && (await findSecretKey(workspace, live));
  return {
    intro: 'Check what one of the demo’s users can do:',
    curl: accessCheckCommand(baseUrl, liveKey ?? '<a secret key>', await findUser(workspace)),
  };
}

/** Such as 'Chidi Okafor subscribes to Acme Team'; null if the demo has no such subscription. */
async function findSubscription({ session, orgId }: Workspace): Promise<string | null> {
  const params = { orgId, identifier: teamSubscriber.email };
  const { linked } = await session.call(customerEndpoints.get, { params });
  for (const { name, subscriptions } of linked) {
    const product = subscriptions.find(({ isGranting }) => isGranting)?.products[0]?.name;
    if (product) return `${name ?? teamSubscriber.email} subscribes to ${product}`;
  }
  return null;
}

async function findUser({ session, orgId }: Workspace): Promise<string> {
  const { email } = trialCustomer;
  const { grants } = await session.call(customerEndpoints.get, { params: { orgId, identifier: email } });
  return grants.length > 0 ? email : 'ada@example.com';
}

/** One that cannot change customers. @returns null if all are revoked */
export async function findSecretKey(
  { session, orgId }: Workspace,
  { id: environmentId }: Environment,
): Promise<string | null> {
  const { keys } = await session.call(apiKeyEndpoints.list, { params: { orgId, environmentId } });
  const key = keys.find(({ type, managesCustomers }) => type === 'secret' && !managesCustomers);
  if (key === undefined) return null;
  return (await session.call(apiKeyEndpoints.reveal, { params: { orgId, keyId: key.id } })).value;
}

function accessCheckCommand(baseUrl: string, secretKey: string, userIdentifier: string): string {
  return [
    `curl -s ${baseUrl}/api/v1/access-checks \\`,
    `  -H 'Authorization: Bearer ${secretKey}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{ "userIdentifier": "${userIdentifier}" }'`,
  ].join('\n');
}
