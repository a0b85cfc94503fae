/// <reference types="vite/types/importMeta.d.ts" />
// Every call that the contracts describe is closed to whoever may not make it. New endpoints are covered by themselves.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '#contracts/endpoint';
import {
  anonymously,
  newMember,
  newOrganisation,
  ORIGIN,
  type SignedIn,
  signedIn,
} from '#tests/support/accounts';

interface NamedEndpoint {
  readonly name: string;
  readonly endpoint: Endpoint;
}

const contracts = import.meta.glob<Record<string, unknown>>('../../worker/contracts/*.ts', { eager: true });

const endpoints: NamedEndpoint[] = Object.values(contracts).flatMap((contract) =>
  Object.entries(contract)
    .filter(([collection]) => collection.endsWith('Endpoints'))
    .flatMap(([collection, records]) =>
      Object.entries(records as Record<string, Endpoint>).map(([key, endpoint]) => ({
        name: `${collection}.${key}`,
        endpoint,
      })),
    ),
);

const guardedBy = (kind: Endpoint['guard']['kind']) =>
  endpoints.filter(({ endpoint }) => endpoint.guard.kind === kind);

let owner: SignedIn;
let plainMember: SignedIn;
let stranger: SignedIn;
let orgId: string;

beforeAll(async () => {
  [owner, stranger] = await Promise.all([signedIn(), signedIn('Eve')]);
  ({ orgId } = await newOrganisation(owner));
  await newOrganisation(stranger, 'Elsewhere');
  plainMember = await newMember(owner, orgId);
});

/** The endpoint's path with the organisation filled in, and ids that nothing has. */
function pathOf(endpoint: Endpoint): string {
  return endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    name === 'orgId' ? orgId : `${name}_unknown`,
  );
}

function callAs(account: SignedIn | null, { endpoint }: NamedEndpoint): Promise<Response> {
  const init = { method: endpoint.method, headers: { origin: ORIGIN } };
  return account === null ? anonymously(pathOf(endpoint), init) : account.fetch(pathOf(endpoint), init);
}

test('the contracts describe calls of every kind', () => {
  for (const kind of ['open', 'user', 'member', 'key'] as const) expect(guardedBy(kind)).not.toEqual([]);
});

describe('without a caller, every call that is not open is a 401', () => {
  test.each(endpoints.filter(({ endpoint }) => endpoint.guard.kind !== 'open'))('$name', async (named) => {
    const answer = await callAs(null, named);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ errorType: 'unauthenticated' });
  });
});

describe("to a member of another organisation, everything below an organisation's path is a 404", () => {
  test.each(guardedBy('member'))('$name', async (named) => {
    const answer = await callAs(stranger, named);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ message: 'The organisation could not be found' });
  });
});

describe('to a member without the permission that it names, a call is a 403', () => {
  const withPermission = guardedBy('member').filter(
    ({ endpoint }) => endpoint.guard.kind === 'member' && endpoint.guard.permission !== undefined,
  );

  test.each(withPermission)('$name', async (named) => {
    const answer = await callAs(plainMember, named);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ errorType: 'forbidden' });
  });
});

test('to whoever is not platform staff, the calls of platform staff do not exist', async () => {
  const paths = guardedBy('sudo').map(({ endpoint }) => [endpoint.method, pathOf(endpoint)]);
  for (const [method = '', path = ''] of [...paths, ['GET', '/api/sudo/anything']]) {
    expect((await owner.fetch(path, { method })).status).toBe(404);
  }
});

describe('from another site, no changing call is made', () => {
  const changing = endpoints.filter(
    ({ endpoint: { method, guard } }) => method !== 'GET' && guard.kind !== 'key',
  );

  test.each(changing)('$name', async ({ endpoint }) => {
    const answer = await owner.fetch(pathOf(endpoint), {
      method: endpoint.method,
      headers: { origin: 'https://evil.example' },
    });
    expect(answer.status).toBe(403);
  });
});
