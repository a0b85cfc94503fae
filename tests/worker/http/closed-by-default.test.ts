// Every endpoint of the contracts refuses callers without access. New endpoints are covered automatically.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '#contracts/public/endpoint';
import {
  anonymously,
  newMember,
  newOrganisation,
  ORIGIN,
  type SignedIn,
  signedIn,
} from '#tests/support/accounts';
import { endpoints, type NamedEndpoint } from '#tests/support/endpoints';

const guardedBy = (kind: Endpoint['guard']['kind']) =>
  endpoints.filter(({ endpoint }) => endpoint.guard.kind === kind);

let owner: SignedIn;
let plainMember: SignedIn;
let stranger: SignedIn;
let orgId: string;

beforeAll(async () => {
  owner = await signedIn();
  stranger = await signedIn('Eve');
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

test('the contracts contain endpoints with every kind of guard', () => {
  for (const kind of ['open', 'user', 'member', 'key'] as const) expect(guardedBy(kind)).not.toEqual([]);
});

describe('without a caller, every endpoint that is not open returns a 401', () => {
  test.each(endpoints.filter(({ endpoint }) => endpoint.guard.kind !== 'open'))('$name', async (named) => {
    const answer = await callAs(null, named);
    expect(answer.status).toBe(401);
    // OpenFeature's protocol has errors of its own.
    const error = named.endpoint.path.startsWith('/ofrep/')
      ? { errorCode: 'GENERAL' }
      : { errorType: 'unauthenticated' };
    expect(await answer.json()).toMatchObject(error);
  });
});

describe('for a member of another organisation, every path of the organisation returns a 404', () => {
  test.each(guardedBy('member'))('$name', async (named) => {
    const answer = await callAs(stranger, named);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ message: 'The organisation could not be found' });
  });
});

describe('for a member without the required permission, an endpoint returns a 403', () => {
  const withPermission = guardedBy('member').filter(
    ({ endpoint }) => endpoint.guard.kind === 'member' && endpoint.guard.permission !== undefined,
  );

  test.each(withPermission)('$name', async (named) => {
    const answer = await callAs(plainMember, named);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ errorType: 'forbidden' });
  });
});

test('for anyone who is not platform staff, staff endpoints return a 404', async () => {
  const paths = guardedBy('sudo').map(({ endpoint }) => [endpoint.method, pathOf(endpoint)]);
  for (const [method = '', path = ''] of [...paths, ['GET', '/api/sudo/anything']]) {
    expect((await owner.fetch(path, { method })).status).toBe(404);
  }
});

describe('from another site, every write is refused', () => {
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
