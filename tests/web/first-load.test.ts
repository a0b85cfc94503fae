// What the console knows and asks at its start, before the server has answered.
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startPage } from '../../web/routes/first-queries.ts';
import { keepFrame, restoreFrame } from '../../web/session/frame-memory.ts';
import { invitationsQuery, ownOrganisationsQuery } from '../../web/session/queries.ts';
import { endSession, sessionQuery, startSession } from '../../web/session/session.ts';

const signedIn = (id: string) => ({
  user: { id, name: id, email: `${id}@people.example`, emailVerified: true, image: null, sudo: false },
  session: { id: 's', expiresAt: '2030-01-01T00:00:00.000Z' },
});
const organisations = [{ id: 'org_a', name: 'Acme', role: 'owner' as const }];

let asked: string[];
let session: unknown;

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  asked = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    return Response.json(url === '/api/auth/get-session' ? session : []);
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('the frame of the last visit', () => {
  /** A client after a visit of `u`, and another one at the next start. */
  const nextStart = () => {
    const before = new QueryClient();
    keepFrame(before);
    before.setQueryData(sessionQuery.queryKey, signedIn('u'));
    before.setQueryData(ownOrganisationsQuery.queryKey, organisations);
    before.setQueryData(invitationsQuery.queryKey, [{ id: 'i', organisationName: 'Other' }]);
    const after = new QueryClient();
    restoreFrame(after);
    return { before, after };
  };
  const known = (client: QueryClient) => [
    client.getQueryData(sessionQuery.queryKey)?.user.id,
    client.getQueryData(ownOrganisationsQuery.queryKey)?.[0]?.name,
  ];

  test('is there at the next start, unconfirmed and without invitations', () => {
    const { after } = nextStart();
    expect(known(after)).toEqual(['u', 'Acme']);
    expect(after.getQueryState(ownOrganisationsQuery.queryKey)?.dataUpdatedAt).toBe(0);
    expect(after.getQueryData(invitationsQuery.queryKey)).toBeUndefined();
  });

  test('the session is asked for nevertheless, and stays if it is confirmed', async () => {
    const { after } = nextStart();
    session = signedIn('u');
    startSession(after);
    await vi.waitFor(() => expect(after.getQueryState(sessionQuery.queryKey)?.dataUpdatedAt).not.toBe(0));
    expect(known(after)).toEqual(['u', 'Acme']);
  });

  test.each([
    ['nobody', null, [undefined, undefined]],
    ['another user', signedIn('v'), ['v', undefined]],
  ])('is forgotten when %s is signed in', async (_name, answer, expected) => {
    const { after } = nextStart();
    session = answer;
    startSession(after);
    await vi.waitFor(() => expect(known(after)).toEqual(expected));
    const later = new QueryClient();
    restoreFrame(later);
    expect(known(later)).toEqual([undefined, undefined]);
  });

  test('is forgotten on log-out', () => {
    const { before } = nextStart();
    endSession(before);
    const later = new QueryClient();
    restoreFrame(later);
    expect(known(later)).toEqual([undefined, undefined]);
  });

  test.each(['{', '7', '[1]', '{"a":1}'])('storage that contains %s is ignored', (text) => {
    localStorage.setItem('frame', text);
    const client = new QueryClient();
    restoreFrame(client);
    expect(known(client)).toEqual([undefined, undefined]);
  });
});

describe('the first calls of a page', () => {
  test.each([
    ['/o/org_a/', ['deployments', 'environments', 'artifacts/last-diff', 'usage/periods/day']],
    ['/o/org_a/plans', ['deployments', 'plans']],
    ['/o/org_a/plans/plan_b/manage', ['deployments', 'plans/plan_b', 'features']],
    ['/o/org_a/features/feature_c', ['deployments', 'features/feature_c']],
    ['/o/org_a/settings', []],
    ['/signin', []],
  ])('of %s start at once', (path, expected) => {
    startPage(new QueryClient(), path, null);
    expect(asked.map((url) => url.replace('/api/orgs/org_a/', '').replace(/\?.*/, ''))).toEqual(expected);
  });

  test('of / are those of the given organisation', () => {
    startPage(new QueryClient(), '/', null);
    expect(asked).toEqual([]);
    startPage(new QueryClient(), '/', 'org_a');
    expect(asked).toContain('/api/orgs/org_a/environments');
  });
});
