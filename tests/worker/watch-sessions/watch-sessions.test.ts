// Live watch: who may watch what, that recorded events arrive once, and that a socket ends with the right to have it.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { NO_ENVIRONMENT } from '#contracts/console/events';
import { WATCH_CLOSE_CODES, watchedEventSchema } from '#contracts/console/watch-sessions';
import type { RecordedEvent } from '#contracts/internal/event-batch';
import { groupsOf, someEvent, someEvents } from '#lab/fixtures/recorded-events';
import { EventStream } from '#objects/event-stream/event-stream-object';
import { Settings } from '#objects/event-stream/settings';
import { eventStreamStub } from '#objects/stubs';
import { check } from '#tests/support/access-checks';
import {
  anonymously,
  cookieOf,
  newMember,
  newOrganisation,
  newStaff,
  PASSWORD,
  type SignedIn,
  signedIn,
  signIn,
  tokenMailedTo,
  withCaptcha,
  withCookie,
} from '#tests/support/accounts';
import { evict } from '#tests/support/evict';
import { newTenant, publishAll, type Tenant } from '#tests/support/tenants';
import { connectWatch, type LiveView, listenTo, newWatchSession, openLiveView } from '#tests/support/watch';
import { openDatabase } from '#worker/db/database';
import { watchSession } from '#worker/db/schema/watch-sessions';
import { endUnusableWatches } from '#worker/domains/watch-sessions/end-watches';
import { workContext } from '#worker/http/make-work-context';

let tenant: Tenant;
let staging: string;
let production: string;

beforeAll(async () => {
  tenant = await newTenant();
  const add = (name: string) => tenant.make('POST', '/environments', { name, type: 'live' });
  [staging, production] = [(await add('Staging')).id, (await add('Production')).id];
});

const streamOf = (orgId: string) => eventStreamStub(env, orgId, undefined);

async function record(orgId: string, ...events: RecordedEvent[]): Promise<void> {
  await (await streamOf(orgId)).appendGroups({ orgId, groups: groupsOf(events) });
}

const idsIn = ({ events }: LiveView) => events.map(({ id }) => id);
const sorted = (...events: RecordedEvent[]) => events.map(({ id }) => id).sort();

describe('a watch session', () => {
  test('is created for every environment or for one', async () => {
    const before = Date.now();
    const all = await tenant.call('POST', '/watch-sessions', {});
    expect(all).toMatchObject({ status: 201, body: { environment: null, integrationId: null } });
    const one = await tenant.make<Record<string, unknown>>('POST', '/watch-sessions', {
      environment: staging,
      integrationId: null,
    });
    expect(one).toMatchObject({ id: expect.stringMatching(/^watch_/), environment: staging });
    expect(one.expiresAt).toBeGreaterThan(before + 24 * 3_600_000);
  });

  test.each([
    ['environment', { environment: 'env_unknown' }],
    ['environment', { environment: 7 }],
    ['environment', { environment: '' }],
    ['integrationId', { environment: null, integrationId: 'stripe_unknown' }],
    ['integrationId', { integrationId: ['a'] }],
    ['organisation', { organisation: 'mine' }],
  ])('is refused, naming %s, for %j', async (path, body) => {
    const answer = await tenant.call('POST', '/watch-sessions', body);
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ path }] } });
  });

  test('is refused for an environment of another organisation', async () => {
    const other = await newTenant();
    const answer = await other.call('POST', '/watch-sessions', { environment: staging });
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'environment' }] } });
  });

  test('beyond the newest fifty of a user is ended', async () => {
    const busy = await newTenant();
    const first = await openLiveView(busy.user, busy.orgId);
    for (let count = 0; count < 49; count++) await newWatchSession(busy.user, busy.orgId);
    expect(first.closedWith()).toBeNull();
    await newWatchSession(busy.user, busy.orgId);
    await expect.poll(first.closedWith).toBe(WATCH_CLOSE_CODES.ended);
    expect((await connectWatch(busy.user, busy.orgId, first.id)).status).toBe(404);
  });
});

describe('a socket is refused', () => {
  test('without a session, to strangers, to colleagues, and under another organisation', async () => {
    const { orgId, user } = tenant;
    const id = await newWatchSession(user, orgId);
    const colleague = await newMember(user, orgId);
    const stranger = await signedIn();
    const elsewhere = await newOrganisation(stranger, 'Elsewhere');
    const second = await newOrganisation(user, 'Second company');
    const statusOf = async (account: Pick<SignedIn, 'fetch'>, org: string) =>
      (await connectWatch(account, org, id)).status;

    expect(await statusOf({ fetch: anonymously }, orgId)).toBe(401);
    expect(await statusOf(stranger, orgId)).toBe(404);
    expect(await statusOf(stranger, elsewhere.orgId)).toBe(404);
    expect(await statusOf(user, second.orgId)).toBe(404);
    expect(await statusOf(colleague, orgId)).toBe(404);
    expect((await connectWatch(user, orgId, 'watch_unknown')).status).toBe(404);
  });

  test.each([
    ['https://evil.example', {}],
    ['null', {}],
    ['http://localhost:4002', {}],
    ['http://localhost:4001', { 'sec-fetch-site': 'cross-site' }],
  ])('to pages of other origins: %s %j', async (origin, headers) => {
    const id = await newWatchSession(tenant.user, tenant.orgId);
    const answer = await connectWatch(tenant.user, tenant.orgId, id, { origin, ...headers });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ errorType: 'forbidden' });
  });

  test('to another sign-in session of the same user, and once it has expired', async () => {
    const { user, orgId } = tenant;
    const id = await newWatchSession(user, orgId);
    const again = withCookie(cookieOf(await signIn(user.email)));
    expect((await connectWatch({ fetch: again }, orgId, id)).status).toBe(404);
    await openDatabase(env.DB).update(watchSession).set({ expiresAt: 1 }).where(eq(watchSession.id, id));
    expect((await connectWatch(user, orgId, id)).status).toBe(404);
  });

  test('to a call that is no upgrade, with a reason', async () => {
    const id = await newWatchSession(tenant.user, tenant.orgId);
    const answer = await connectWatch(tenant.user, tenant.orgId, id, { upgrade: 'h2c' });
    expect([answer.status, (await answer.json<{ message: string }>()).message]).toEqual([
      400,
      'Connect to this URL with a WebSocket',
    ]);
  });

  test('but not to the page of the development port', async () => {
    const id = await newWatchSession(tenant.user, tenant.orgId);
    const answer = await connectWatch(tenant.user, tenant.orgId, id, { origin: 'http://localhost:4000' });
    expect(answer.status).toBe(101);
    answer.webSocket?.accept();
    answer.webSocket?.close();
  });
});

describe('recorded events', () => {
  test('arrive at the sockets that watch their environment; payment events at all of them', async () => {
    const { user, orgId } = tenant;
    const all = await openLiveView(user, orgId);
    const one = await openLiveView(user, orgId, { environment: staging });
    const other = await openLiveView(user, orgId, { environment: production });
    const events = [
      someEvent({ envId: staging }),
      someEvent({ envId: production, features: null, response: '{"status":"success"}' }),
      someEvent({
        envId: NO_ENVIRONMENT,
        type: 'se',
        integrationId: 'stripe_1',
        stripeEventType: 'invoice.paid',
      }),
    ] as const;
    const [inStaging, inProduction, payment] = events;
    await record(orgId, ...events);
    await expect.poll(() => idsIn(all).sort()).toEqual(sorted(...events));
    await expect.poll(() => idsIn(one).sort()).toEqual(sorted(inStaging, payment));
    await expect.poll(() => idsIn(other).sort()).toEqual(sorted(inProduction, payment));

    // Each is the event as search returns it.
    const stream = await streamOf(orgId);
    for (const event of all.events) {
      expect(watchedEventSchema.parse(event)).toEqual(await stream.get(event.id));
    }
  });

  test('of one account arrive alone at a socket that watches its integration', async () => {
    const { user, orgId } = await newTenant();
    const { socket, ...rest } = await openLiveView(user, orgId);
    socket.close();
    const stream = await streamOf(orgId);
    const response = await stream.fetch('https://event-stream/watch', {
      headers: {
        upgrade: 'websocket',
        'x-watch': JSON.stringify({ id: rest.id, environment: null, integrationId: 'stripe_1' }),
      },
    });
    const view = { id: rest.id, ...listenTo(response.webSocket as WebSocket) };
    const [wanted, ...others] = ['stripe_1', 'stripe_2', null].map((integrationId) =>
      someEvent({ envId: NO_ENVIRONMENT, type: 'se', integrationId }),
    ) as [RecordedEvent, ...RecordedEvent[]];
    await record(orgId, ...others, wanted);
    await expect.poll(() => idsIn(view)).toEqual([wanted.id]);
  });

  test('that are delivered three times arrive once, and never at another organisation', async () => {
    const [one, other] = [await newTenant(), await newTenant()];
    const view = await openLiveView(one.user, one.orgId);
    const theirs = await openLiveView(other.user, other.orgId);
    const [first, second, last] = [someEvent({ type: 'cu' }), someEvent(), someEvent()];
    for (let time = 0; time < 3; time++) await record(one.orgId, first);
    await record(one.orgId, first, second);
    await record(one.orgId, last);
    await record(other.orgId, someEvent());
    await expect.poll(() => idsIn(view)).toEqual(sorted(first, second, last));
    await expect.poll(() => theirs.events.length).toBe(1);
  });

  test('of a flood arrive as an even sample that says how many it leaves out', async () => {
    const { user, orgId } = await newTenant();
    const view = await openLiveView(user, orgId);
    const events = someEvents(2_000);
    await record(orgId, ...events);
    const shown = () => view.events.length;
    const leftOut = () => view.events.reduce((sum, event) => sum + (event.leftOut ?? 0), 0);
    await expect.poll(() => shown() + leftOut()).toBe(2_000);
    expect(shown()).toBeLessThanOrEqual(400);
    const places = view.events.map(({ id }) => events.findIndex((event) => event.id === id));
    expect(places).toEqual([...places].sort((one, two) => one - two));
    expect(places.at(-1)).toBe(1_999);
    expect(places[0]).toBeLessThan(100);
  });

  test('of an access check arrive as it was answered', async () => {
    const { user, orgId, key } = tenant;
    const preview = await tenant.previewId();
    const view = await openLiveView(user, orgId, { environment: preview });
    const { value } = await key(preview);
    await publishAll(tenant);
    const headers = { 'x-dev-cf': '{"country":"PT","city":"Lisbon"}' };
    const { requestId } = await check(value, { userIdentifier: 'ada@example.com' }, { headers });
    await expect.poll(() => view.events).toHaveLength(1);
    expect(view.events[0]).toMatchObject({
      type: 'ac',
      envId: preview,
      subjectIdentifier: 'ada@example.com',
      detail: { countryCode: 'PT', city: 'Lisbon' },
      response: { requestId },
    });
  });
});

describe('a socket is closed', () => {
  test.each([
    [1000, 1000],
    [4000, 4000],
    [undefined, 1000],
  ])('by its client with %s, and answered with %i', async (sent, answered) => {
    const view = await openLiveView(tenant.user, tenant.orgId);
    view.socket.close(sent);
    await expect.poll(view.closedWith).toBe(answered);
  });

  const isEnded = (view: LiveView) => expect.poll(view.closedWith).toBe(WATCH_CLOSE_CODES.ended);

  test('when the member is removed, and the others stay', async () => {
    const { user, orgId } = await newTenant();
    const leaver = await newMember(user, orgId);
    const [view, own] = [await openLiveView(leaver, orgId), await openLiveView(user, orgId)];
    const removed = await user.fetch('/api/auth/organization/remove-member', {
      json: { organizationId: orgId, memberIdOrEmail: leaver.email },
    });
    expect(removed.status).toBe(200);
    await isEnded(view);
    expect((await connectWatch(leaver, orgId, view.id)).status).toBe(404);
    await record(orgId, someEvent());
    await expect.poll(() => own.events.length).toBe(1);
    expect(view.events).toEqual([]);
    expect(own.closedWith()).toBeNull();
  });

  test('when the user is disabled', async () => {
    const { user, orgId } = await newTenant();
    const view = await openLiveView(user, orgId);
    const staff = await newStaff('Stella Staff');
    const answer = await staff.fetch(`/api/sudo/users/${user.userId}`, {
      method: 'PUT',
      json: { enabled: false },
    });
    expect(answer.status).toBe(200);
    await isEnded(view);
  });

  test('when the user signs out, here or everywhere else', async () => {
    const { user, orgId } = await newTenant();
    const cookie = cookieOf(await signIn(user.email));
    const elsewhere = { ...user, cookie, fetch: withCookie(cookie) };
    const [here, there] = [await openLiveView(user, orgId), await openLiveView(elsewhere, orgId)];
    await user.fetch('/api/auth/revoke-other-sessions', { json: {} });
    await isEnded(there);
    expect(here.closedWith()).toBeNull();
    await user.fetch('/api/auth/sign-out', { json: {} });
    await isEnded(here);
  });

  test('when the password is reset', async () => {
    const { user, orgId } = await newTenant();
    const view = await openLiveView(user, orgId);
    await anonymously('/api/auth/request-password-reset', {
      json: { email: user.email, redirectTo: '/reset-password' },
      headers: withCaptcha,
    });
    const token = await tokenMailedTo(user.email);
    const answer = await anonymously('/api/auth/reset-password', {
      json: { newPassword: `${PASSWORD}!`, token },
    });
    expect(answer.status).toBe(200);
    await isEnded(view);
  });

  test('by the schedule, if the first attempt was lost', async () => {
    const { user, orgId } = await newTenant();
    const view = await openLiveView(user, orgId);
    await env.DB.prepare('DELETE FROM session WHERE user_id = ?').bind(user.userId).run();
    await endUnusableWatches(workContext(env, Date.now));
    await isEnded(view);
    const rows = await env.DB.prepare('SELECT id FROM watch_session WHERE org_id = ?').bind(orgId).all();
    expect(rows.results).toEqual([]);
  });

  test('when its session connects again, and when it sends anything but ping', async () => {
    const { user, orgId } = await newTenant();
    const first = await openLiveView(user, orgId);
    const answer = await connectWatch(user, orgId, first.id);
    const second = { id: first.id, ...listenTo(answer.webSocket as WebSocket) };
    await expect.poll(first.closedWith).toBe(WATCH_CLOSE_CODES.replaced);
    await record(orgId, someEvent());
    await expect.poll(() => second.events.length).toBe(1);
    second.socket.send('{"subscribe":"everything"}');
    await expect.poll(second.closedWith).toBe(WATCH_CLOSE_CODES.unexpectedMessage);
  });
});

afterEach(() => vi.restoreAllMocks());

test('a day of heartbeats does not wake the stream, and the next event still arrives', async () => {
  const { user, orgId } = await newTenant();
  const view = await openLiveView(user, orgId, { environment: null });
  const stream = await streamOf(orgId);
  await runInDurableObject(stream, () => {});
  await evict(stream);
  // Whether the object is running says nothing: one that was woken may hibernate again. Each start reads the settings.
  const messages = vi.spyOn(EventStream.prototype, 'webSocketMessage');
  const starts = vi.spyOn(Settings.prototype, 'invalidate');
  const startsOf = (owner: string | undefined) =>
    (starts.mock.contexts as Settings[]).filter((settings) => settings.get('org_id') === owner);
  const heartbeats = (24 * 3_600) / 20;
  for (let sent = 1; sent <= heartbeats; sent++) view.socket.send('ping');
  await expect.poll(() => view.pongs.length).toBe(heartbeats);
  expect(messages).not.toHaveBeenCalled();
  expect(startsOf(undefined)).toEqual([]);
  await record(orgId, someEvent());
  await expect.poll(() => view.events.length).toBe(1);
  expect(startsOf(orgId)).toHaveLength(1);
});
