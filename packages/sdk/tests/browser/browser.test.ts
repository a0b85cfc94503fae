// Answers in a browser: bootstrap, one request, outages, and another user.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type BrowserOptions, type BrowserTessera, createBrowserTessera } from '../../browser.ts';
import { accessJson } from '../../testing.ts';
import { answer, json, refusal, serve, silence } from '../served.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const HANDLER = 'https://app.example/entitlements';
const rows = (count: number) =>
  accessJson({ 'reports.rows': count, 'reports.runs': { state: 'on', allowed: true } });

function open(reply: Parameters<typeof serve>[0], options: Partial<BrowserOptions> = {}) {
  const served = serve(reply);
  return {
    store: createBrowserTessera({ from: { handler: HANDLER }, fetch: served.fetch, ...options }),
    ...served,
  };
}

test('a bootstrap is ready at once, and nothing is asked while it is valid', async () => {
  const { store, calls } = open(silence, { bootstrap: JSON.parse(JSON.stringify(rows(5))) });
  expect(store.getState()).toMatchObject({ status: 'ready', access: { source: 'cache' }, error: null });
  expect((await store.load()).get('reports.rows')).toBe(5);
  expect(calls).toHaveLength(0);
  expect(store.getState()).toBe(store.getState());
});

test('any number of callers share one request, and listeners hear of its end', async () => {
  const { store, calls } = open(() => json(rows(7)));
  const heard = vi.fn();
  const stop = store.subscribe(heard);
  expect(store.getState()).toMatchObject({ status: 'loading', access: null });
  await Promise.all([store.load(), store.load(), store.load()]);
  expect([calls.length, heard.mock.calls.length]).toEqual([1, 1]);
  expect(store.getState()).toMatchObject({ status: 'ready', access: { source: 'live' } });
  stop();
  await store.refresh();
  expect(heard).toHaveBeenCalledTimes(1);
});

test.each([-3_600_000, 3_600_000])(
  'answers are used as long as on the server, whatever the browser’s clock (%d ms)',
  async (aheadMs) => {
    const written = JSON.parse(JSON.stringify(rows(5)));
    const served = { ...written, asOf: Date.now() - aheadMs, validUntil: Date.now() - aheadMs + 60_000 };
    const { store, calls } = open(() => json(served), { bootstrap: served });
    await store.load();
    expect(calls).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(60_000);
    await store.load();
    await vi.advanceTimersByTimeAsync(59_000);
    await store.load();
    expect(calls).toHaveLength(1);
  },
);

test('an answer that is valid for no time is not asked for by everything that renders with it', async () => {
  const { store, calls } = open(() => json({ ...rows(5), asOf: 5, validUntil: 5 }));
  for (let times = 0; times < 5; times++) await store.load();
  expect(calls).toHaveLength(1);
});

test('what is no longer valid is asked again by the next use, and without a use never', async () => {
  const { store, calls } = open(() => json(rows(7)));
  await store.load();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(calls).toHaveLength(1);
  await store.load();
  expect(calls).toHaveLength(2);
});

/** A page, and what it is told. */
function openPage() {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const window = new EventTarget();
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', window);
  return {
    show(isVisible: boolean) {
      page.visibilityState = isVisible ? 'visible' : 'hidden';
      page.dispatchEvent(new Event('visibilitychange'));
    },
    goOnline: () => window.dispatchEvent(new Event('online')),
  };
}

test('while somebody listens it asks by itself: at first, after failures, and when an answer ends', async () => {
  openPage();
  let isUp = false;
  const { store, calls } = open(() => (isUp ? json(rows(calls.length)) : refusal(503, 'unavailable')));
  await vi.advanceTimersByTimeAsync(600_000);
  expect(calls).toHaveLength(0);
  const stop = store.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(10_000);
  expect(store.getState().status).toBe('error');
  const failed = calls.length;
  expect(failed).toBeGreaterThan(1);
  isUp = true;
  await vi.advanceTimersByTimeAsync(63_000);
  expect(store.getState()).toMatchObject({ status: 'ready', access: { source: 'live' } });
  const first = calls.length;
  await vi.advanceTimersByTimeAsync(62_000 * 3);
  expect(calls.length - first).toBeGreaterThanOrEqual(2);
  expect(calls.length - first).toBeLessThanOrEqual(4);
  stop();
  const last = calls.length;
  await vi.advanceTimersByTimeAsync(600_000);
  expect([calls.length, vi.getTimerCount()]).toEqual([last, 0]);
});

test('a hidden page asks nothing, and asks at once when it is seen again, or online', async () => {
  const page = openPage();
  let isUp = true;
  const { store, calls } = open(() => (isUp ? json(rows(1)) : new TypeError('offline')));
  store.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  page.show(false);
  await vi.advanceTimersByTimeAsync(3_700_000);
  expect(calls).toHaveLength(1);
  isUp = false;
  page.show(true);
  expect(store.getState()).toMatchObject({ status: 'loading', access: null });
  await vi.advanceTimersByTimeAsync(0);
  expect([calls.length, store.getState().status]).toEqual([2, 'error']);
  isUp = true;
  page.goOnline();
  await vi.advanceTimersByTimeAsync(0);
  expect(store.getState()).toMatchObject({ status: 'ready', access: { source: 'live' } });
});

test('an application without a page says when it is seen: React Native', async () => {
  vi.stubGlobal('document', undefined);
  let wake = () => {};
  const onVisible = (seen: () => void) => {
    wake = seen;
    return () => {
      wake = () => {};
    };
  };
  let isUp = false;
  const { store, calls } = open(() => (isUp ? json(rows(1)) : new TypeError('offline')), { onVisible });
  const stop = store.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  isUp = true;
  wake();
  await vi.advanceTimersByTimeAsync(0);
  expect([calls.length, store.getState().status]).toEqual([2, 'ready']);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

const tokenOf = (claims: object, signature = 'x') => `e30.${btoa(JSON.stringify(claims))}.${signature}`;

test('an answer belongs to the user of its token: who signs in, or another one, never sees it', async () => {
  let token: string | null = null;
  const replies: ((response: Response) => void)[] = [];
  const served = serve(() => new Promise((resolve) => replies.push(resolve)));
  const from = { url: 'https://tessera.example', publicKey: 'tsr_pub_x', token: () => token };
  const store = createBrowserTessera({ from, fetch: served.fetch });
  const ask = async (count: number) => {
    const work = store.refresh();
    await vi.advanceTimersByTimeAsync(0);
    const meanwhile = store.getState().access?.get('reports.rows');
    replies.at(-1)?.(json(rows(count)));
    await work;
    return meanwhile;
  };
  await ask(1);
  token = tokenOf({ sub: 'ada' });
  expect(await ask(2)).toBeUndefined();
  token = tokenOf({ sub: 'ada', exp: 5 }, 'renewed');
  expect(await ask(3)).toBe(2);
  token = tokenOf({ sub: 'bob' });
  expect(await ask(4)).toBeUndefined();
  expect(store.getState().access?.get('reports.rows')).toBe(4);
});

describe('who hears that another user’s answers are gone', () => {
  function openFor(hear: (store: BrowserTessera) => void) {
    let token = tokenOf({ sub: 'ada' });
    const served = serve(({ body }) => json(rows(body.userJwt === tokenOf({ sub: 'ada' }) ? 1 : 2)));
    const from = { url: 'https://tessera.example', publicKey: 'tsr_pub_x', token: () => token };
    const store = createBrowserTessera({ from, fetch: served.fetch });
    return {
      ...served,
      store,
      async change() {
        await store.load();
        token = tokenOf({ sub: 'bob' });
        let hasHeard = false;
        store.subscribe(() => {
          if (hasHeard || store.getState().access !== null) return;
          hasHeard = true;
          hear(store);
        });
        await store.refresh();
        expect(hasHeard).toBe(true);
      },
    };
  }

  test('and loads, waits for the call that is under way', async () => {
    const loaded: unknown[] = [];
    const { calls, store, change } = openFor(async (heard) =>
      loaded.push((await heard.load()).get('reports.rows')),
    );
    await change();
    await vi.advanceTimersByTimeAsync(0);
    expect([calls.length, loaded, store.getState().access?.get('reports.rows')]).toEqual([2, [2], 2]);
  });

  test('and resets, is shown nothing that was asked before', async () => {
    const { store, change } = openFor((heard) => heard.reset({ bootstrap: rows(3) }));
    await change();
    expect(store.getState().access?.get('reports.rows')).toBe(3);
  });
});

test('a page that is seen again after hours waits for the call that is under way', async () => {
  const page = openPage();
  const replies: ((response: Response) => void)[] = [];
  const { store, calls } = open(() => new Promise((resolve) => replies.push(resolve)), {
    bootstrap: rows(1),
  });
  store.subscribe(() => {});
  page.show(false);
  await vi.advanceTimersByTimeAsync(3_700_000);
  const work = store.refresh();
  page.show(true);
  await vi.advanceTimersByTimeAsync(0);
  replies[0]?.(json(rows(2)));
  expect((await work).get('reports.rows')).toBe(2);
  expect([calls.length, store.getState().access?.get('reports.rows')]).toEqual([1, 2]);
});

test('in an outage what is known is shown for an hour, and the API is left alone between tries', async () => {
  let isUp = true;
  const { store, calls } = open(() => (isUp ? json(rows(7)) : new TypeError('offline')));
  await store.load();
  isUp = false;
  await vi.advanceTimersByTimeAsync(60_000);
  await expect(store.load()).rejects.toMatchObject({ type: 'network' });
  expect(store.getState()).toMatchObject({
    status: 'error',
    access: { source: 'stale' },
    error: { type: 'network' },
  });
  await expect(store.load()).rejects.toMatchObject({ type: 'network' });
  expect(calls).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(3_600_000);
  await expect(store.load()).rejects.toThrow();
  expect(store.getState().access).toBeNull();
  isUp = true;
  await vi.advanceTimersByTimeAsync(120_000);
  await store.load();
  expect(store.getState()).toMatchObject({ status: 'ready', error: null });
});

test('nobody signed in any more: what was known is gone', async () => {
  const { store } = open(() => refusal(401, 'unauthenticated'), { bootstrap: rows(5) });
  await expect(store.refresh()).rejects.toMatchObject({ type: 'unauthenticated' });
  expect(store.getState()).toMatchObject({ status: 'error', access: null });
});

test('after a reset nothing of the former user is shown, not even what was asked for them before', async () => {
  const replies: ((response: Response) => void)[] = [];
  const { store } = open(() => new Promise((resolve) => replies.push(resolve)), { bootstrap: rows(1) });
  const former = store.refresh();
  store.reset();
  expect(store.getState()).toMatchObject({ status: 'loading', access: null });
  const own = store.load();
  await vi.advanceTimersByTimeAsync(0);
  replies[1]?.(json(rows(2)));
  await own;
  replies[0]?.(json(rows(1)));
  await former;
  expect(store.getState().access?.get('reports.rows')).toBe(2);
  store.reset({ bootstrap: rows(3) });
  expect(store.getState().access?.get('reports.rows')).toBe(3);
});

test('a refresh is not answered by what was asked before it', async () => {
  const replies: ((response: Response) => void)[] = [];
  const { store } = open(() => new Promise((resolve) => replies.push(resolve)));
  const before = store.load();
  const after = store.refresh();
  await vi.advanceTimersByTimeAsync(0);
  replies[1]?.(json(rows(2)));
  await after;
  replies[0]?.(json(rows(1)));
  await before;
  expect(store.getState().access?.get('reports.rows')).toBe(2);
});

test('meters that are as they were stay the same objects', async () => {
  const { store } = open((_, index) => json(rows(index)));
  const first = await store.load().then(() => store.getState().access);
  await store.refresh();
  const second = store.getState().access;
  expect([first?.get('reports.rows'), second?.get('reports.rows')]).toEqual([0, 1]);
  expect(second?.get('reports.runs')).toBe(first?.get('reports.runs'));
});

test('with a public key the user’s own token is sent, and none for nobody', async () => {
  const served = serve(() => json(answer()));
  let token: string | null = 'jwt';
  const store = createBrowserTessera({
    from: { url: 'https://tessera.example/', publicKey: 'tsr_pub_x', token: async () => token },
    fetch: served.fetch,
  });
  expect((await store.load()).get('reports.rows')).toBe(500);
  token = null;
  await store.refresh();
  expect(served.calls.map(({ path, body }) => [path, body])).toEqual([
    ['/api/v1/access-checks', { userJwt: 'jwt' }],
    ['/api/v1/access-checks', {}],
  ]);
  expect(served.calls[0]?.headers.get('authorization')).toBe('Bearer tsr_pub_x');
});

test.each([
  ['never answers', silence, 'timeout'],
  ['answers with a page', () => new Response('<html>'), 'server-error'],
  ['answers with other JSON', () => json({ v: 2 }), 'server-error'],
] as const)('a route that %s ends in an error', async (_, reply, type) => {
  const errors: string[] = [];
  const { store } = open(reply, { timeoutMs: 1_000, onError: (error) => errors.push(error.type) });
  const work = store.load().catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await work).toMatchObject({ type });
  expect(errors).toEqual([type]);
});
