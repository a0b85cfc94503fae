// What the console knows and asks at its start, before the server has answered.
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readFrame } from '../../web/session/kept-frame.ts';
import { invitationsQuery, ownOrganisationsQuery } from '../../web/session/queries.ts';
import { endSession, knownSession, startSession } from '../../web/session/session.ts';
import { startFrame } from '../../web/session/start-frame.ts';
import { startPage } from '../../web/start-page.ts';
import { stubStorage } from './stub-storage.ts';

const signedIn = (id: string) => ({
  user: { id, name: id, email: `${id}@people.example`, emailVerified: true, image: null, sudo: false },
  session: { id: 's', expiresAt: '2030-01-01T00:00:00.000Z' },
});
const organisations = [{ id: 'org_a', name: 'Acme', role: 'owner' as const }];

const environments = [
  { id: 'env_test', type: 'test' },
  { id: 'env_live', type: 'live' },
];

let asked: string[];
let session: unknown;

beforeEach(() => {
  stubStorage();
  asked = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    if (url === '/api/auth/get-session') return Response.json(session);
    if (url.includes('/environments')) return Response.json(environments);
    return Response.json(url.includes('/usage/') ? { items: [] } : []);
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('the frame of the last visit', () => {
  const HOME = '/o/org_a/';
  const start = async (path: string) => {
    const client = new QueryClient();
    const confirmed = startSession(readFrame(path)?.[0]);
    startFrame(client, path, () => {});
    const early = known(client);
    await confirmed;
    return { client, early };
  };
  const known = (client: QueryClient) => [
    knownSession()?.user.id,
    client.getQueryData(ownOrganisationsQuery.queryKey)?.[0]?.name,
  ];

  beforeEach(async () => {
    session = signedIn('u');
    const { client } = await start(HOME);
    client.setQueryData(ownOrganisationsQuery.queryKey, organisations);
    client.setQueryData(invitationsQuery.queryKey, [
      { id: 'i', organisationName: 'Other', role: 'member', inviter: null },
    ]);
  });

  test('is there at the next start, unconfirmed and without invitations', () => {
    void start(HOME);
    const client = new QueryClient();
    startFrame(client, HOME, () => {});
    expect(known(client)).toEqual(['u', 'Acme']);
    expect(client.getQueryState(ownOrganisationsQuery.queryKey)?.dataUpdatedAt).toBe(0);
    expect(client.getQueryData(invitationsQuery.queryKey)).toBeUndefined();
  });

  test('does not apply to the pages before sign-in', async () => {
    expect((await start('/signin')).early).toEqual([undefined, undefined]);
  });

  test('the session is asked for nevertheless, and stays if it is confirmed', async () => {
    asked = [];
    const { client, early } = await start(HOME);
    expect(early).toEqual(['u', 'Acme']);
    expect(asked).toContain('/api/auth/get-session');
    expect(known(client)[0]).toBe('u');
    expect(readFrame(HOME)).not.toBeNull();
  });

  test('keeps neither the browser nor the network address of the session', async () => {
    const known = signedIn('u');
    session = { ...known, session: { ...known.session, userAgent: 'Firefox', ipAddress: '203.0.113.7' } };
    await start(HOME);
    expect(readFrame(HOME)?.[0].session).toEqual(known.session);
  });

  test.each([
    ['nobody', null, undefined],
    ['another user', signedIn('v'), 'v'],
  ])('is forgotten when %s is signed in', async (_name, answer, expected) => {
    session = answer;
    const { client } = await start(HOME);
    expect(known(client)).toEqual([expected, undefined]);
    expect(JSON.stringify(readFrame(HOME))).not.toContain('Acme');
  });

  test('is forgotten on log-out', () => {
    endSession();
    expect(readFrame(HOME)).toBeNull();
  });

  test.each(['{', '7', '[1]', '{"a":1}', '[1,2,3]', '[{"user":7},[],[]]'])(
    'storage that contains %s is ignored',
    (text) => {
      localStorage.setItem('frame', text);
      expect(readFrame(HOME)).toBeNull();
    },
  );
});

describe('the first calls of a page', () => {
  test.each([
    [
      '/o/org_a/',
      [
        ...['deployments', 'environments', 'artifacts/last-diff', 'usage/periods/day'],
        ...['event-search', 'event-search', 'event-metrics'],
      ],
    ],
    ['/o/org_a/plans', ['deployments', 'plans']],
    ['/o/org_a/plans/plan_b/manage', ['deployments', 'plans/plan_b', 'features']],
    ['/o/org_a/features/feature_c', ['deployments', 'features/feature_c']],
    ['/o/org_a/customers', ['deployments', 'customers', 'plans', 'environments']],
    ['/o/org_a/customers/a%2Fb', ['deployments', 'customers/a~2Fb', 'environments', 'plans', 'features']],
    ['/o/org_a/settings', []],
    ['/signin', []],
  ])('of %s start at once', (path, expected) => {
    startPage(new QueryClient(), path, null);
    expect(asked.map((url) => url.replace('/api/orgs/org_a/', '').replace(/\?.*/, ''))).toEqual(expected);
  });

  test('of the dashboard include the keys that its card shows first, as soon as the environments are known', async () => {
    startPage(new QueryClient(), '/o/org_a/', null);
    await vi.waitFor(() => expect(asked).toContain('/api/orgs/org_a/environments/env_live/api-keys'));
    expect(asked.join()).not.toContain('env_test');
  });

  test('of / are those of the given organisation', () => {
    startPage(new QueryClient(), '/', null);
    expect(asked).toEqual([]);
    startPage(new QueryClient(), '/', 'org_a');
    expect(asked).toContain('/api/orgs/org_a/environments');
  });
});
