// When the session is fetched again or ends, and how long cached data stays fresh.
import { MutationObserver, onlineManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../web/api/api-error.ts';
import { authClient, changesSession } from '../../web/api/auth-client.ts';
import { createQueryClient, FRESH_MS } from '../../web/api/query-client.ts';
import { deploymentStatusQuery } from '../../web/domains/environments/deployments/queries.ts';
import {
  arriveAtSignIn,
  hasLeftDeliberately,
  knownSession,
  leaveDeliberately,
  startSession,
} from '../../web/session/session.ts';
import { startFrame } from '../../web/session/start-frame.ts';

const user = {
  id: 'u',
  name: 'Ada',
  email: 'ada@people.example',
  emailVerified: true,
  image: null,
  sudo: false,
};
const signedIn = { user, session: { id: 's', expiresAt: '2030-01-01T00:00:00.000Z' } };

const next = { ...signedIn, user: { ...user, id: 'v', name: 'Grace' } };
const person = { email: 'grace@people.example', password: 'correct-horse' };

/** The browser's other tabs. */
class FakeTabs {
  readonly posted: unknown[] = [];
  #listener: (event: { data: unknown }) => void = () => {};
  addEventListener(_type: string, listener: (event: { data: unknown }) => void) {
    this.#listener = listener;
  }
  postMessage(id: unknown) {
    this.posted.push(id);
  }
  hear(id: unknown) {
    this.#listener({ data: id });
  }
}

describe('the session', () => {
  let client: QueryClient;
  let answers: Record<string, unknown>;
  let asked: string[];
  /** Answers to what is asked meanwhile are held back until then. */
  let holds: Promise<void> | undefined;

  beforeEach(async () => {
    vi.useFakeTimers();
    holds = undefined;
    answers = { '/get-session': signedIn };
    asked = [];
    vi.stubGlobal('fetch', async (url: string) => {
      const path = url.replace('/api/auth', '').split('?')[0] ?? '';
      asked.push(path);
      const answer = answers[path] ?? { status: true };
      if (path === '/get-session') await holds;
      return answer instanceof Response ? answer : Response.json(answer);
    });
    client = new QueryClient();
    void startSession();
    startFrame(client, '/signin', () => {});
    await vi.advanceTimersByTimeAsync(10);
  });

  afterEach(() => {
    client.clear();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  test('is fetched when the console starts', () => {
    // What the frame asks for after it follows as soon as its code is loaded.
    expect(asked[0]).toBe('/get-session');
    expect(asked.filter((path) => path === '/get-session')).toHaveLength(1);
    expect(knownSession()).toEqual(signedIn);
  });

  test('ends 500 ms after signing out, and what was read for its user is forgotten', async () => {
    client.setQueryData(['user', 'orgs'], ['one']);
    client.setQueryData(['org', 'o', 'plans'], ['two']);
    client.setQueryData(['api-description'], 'public');
    await authClient.signOut();
    await vi.advanceTimersByTimeAsync(499);
    expect(knownSession()).toEqual(signedIn);
    await vi.advanceTimersByTimeAsync(1);
    expect(knownSession()).toBeNull();
    expect(client.getQueryData(['user', 'orgs'])).toBeUndefined();
    expect(client.getQueryData(['org', 'o', 'plans'])).toBeUndefined();
    expect(client.getQueryData(['api-description'])).toBe('public');
  });

  test('that ends on purpose has no page to return to, until sign-in shows or someone signs in', async () => {
    expect(hasLeftDeliberately()).toBe(false);
    const leaving = leaveDeliberately(() => authClient.signOut());
    expect(hasLeftDeliberately()).toBe(true); // Also before the response: other calls may fail as unauthenticated.
    await leaving;
    await vi.advanceTimersByTimeAsync(500);
    expect(knownSession()).toBeNull();
    expect(hasLeftDeliberately()).toBe(true);
    arriveAtSignIn();
    expect(hasLeftDeliberately()).toBe(false);
    await leaveDeliberately(() => authClient.signOut());
    await authClient.signInEmail({ email: 'ada@people.example', password: 'long-enough' }, 'captcha');
    expect(hasLeftDeliberately()).toBe(false);
    answers['/sign-out'] = Response.error();
    expect((await leaveDeliberately(() => authClient.signOut())).error).not.toBeNull();
    expect(hasLeftDeliberately()).toBe(false);
  });

  test.each([
    ['/verify-email', () => authClient.verifyEmail('token')],
    ['/sign-up/email', () => authClient.signUpEmail({ ...person, name: 'Grace' }, 'pass')],
    ['/sign-in/email', () => authClient.signInEmail(person, 'pass')],
  ])('of somebody else, made by %s before this one is known, has none of its data', async (_path, change) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    holds = released;
    void startSession(); // The browser's session is not known yet, but its organisations are read already.
    client.setQueryData(['user', 'organisations'], ['of Ada']);
    const late = client.fetchQuery({
      queryKey: ['user', 'invitations'],
      queryFn: () => released.then(() => ['to Ada']),
    });
    void late.catch(() => undefined);
    answers['/get-session'] = next;
    await change();
    expect(client.getQueryData(['user', 'organisations'])).toBeUndefined();
    release();
    await vi.advanceTimersByTimeAsync(10);
    expect(knownSession()).toEqual(next);
    expect(client.getQueryData(['user', 'invitations'])).toBeUndefined();
  });

  test('is prolonged by input in an open page, at most once a day, and by nothing else', async () => {
    const page = new EventTarget();
    void startSession(undefined, null, page);
    await vi.advanceTimersByTimeAsync(10);
    const fetches = () => asked.filter((path) => path === '/get-session').length;
    const before = fetches();
    const dayMs = 86_400_000;
    await vi.advanceTimersByTimeAsync(dayMs - 1000);
    page.dispatchEvent(new Event('keydown'));
    expect(fetches()).toBe(before);
    await vi.advanceTimersByTimeAsync(3 * dayMs);
    expect(fetches()).toBe(before);
    for (const type of ['pointerdown', 'keydown', 'keydown']) page.dispatchEvent(new Event(type));
    await vi.advanceTimersByTimeAsync(dayMs - 1000);
    page.dispatchEvent(new Event('pointerdown'));
    expect(fetches()).toBe(before + 1);
    await vi.advanceTimersByTimeAsync(1000);
    answers['/get-session'] = Response.error();
    page.dispatchEvent(new Event('keydown'));
    await vi.advanceTimersByTimeAsync(dayMs);
    expect(fetches()).toBe(before + 2);
    expect(knownSession()).toEqual(signedIn); // A failed call ends nothing.
    answers['/get-session'] = null;
    page.dispatchEvent(new Event('keydown'));
    await vi.advanceTimersByTimeAsync(10);
    expect(knownSession()).toBeNull();
    await vi.advanceTimersByTimeAsync(2 * dayMs);
    page.dispatchEvent(new Event('keydown'));
    expect(fetches()).toBe(before + 3); // Nobody is signed in.
  });

  test('is fetched again if another tab changes it while it is fetched', async () => {
    const tabs = new FakeTabs();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    holds = released;
    void startSession(undefined, tabs as unknown as BroadcastChannel);
    answers['/get-session'] = next;
    holds = undefined;
    tabs.hear('v');
    await vi.advanceTimersByTimeAsync(10);
    release();
    await vi.advanceTimersByTimeAsync(10);
    expect(knownSession()).toEqual(next);
    expect(tabs.posted).toEqual(['v']);
  });

  test('of a user who signs in within those 500 ms stays, and no data of the previous user does', async () => {
    client.setQueryData(['org', 'o', 'plans'], ['two']);
    await authClient.signOut();
    await vi.advanceTimersByTimeAsync(100);
    answers['/get-session'] = next;
    await authClient.signInEmail({ email: 'grace@people.example', password: 'correct-horse' }, 'pass');
    await vi.advanceTimersByTimeAsync(1000);
    expect(knownSession()).toEqual(next);
    expect(client.getQueryData(['org', 'o', 'plans'])).toBeUndefined();
  });

  test('without a user in the answer is nobody’s', async () => {
    answers['/get-session'] = null;
    await authClient.updateUser({ name: 'Ada' });
    await vi.advanceTimersByTimeAsync(10);
    expect(knownSession()).toBeNull();
  });
});

test('the session is fetched again after every call that may have changed it, and after no other', () => {
  for (const path of [
    '/sign-out',
    '/update-user',
    '/sign-in/email',
    '/sign-in/social',
    '/sign-up/email',
    '/delete-user',
    '/verify-email',
    '/reset-password',
  ]) {
    expect(changesSession(path), path).toBe(true);
  }
  for (const path of ['/get-session', '/send-verification-email', '/request-password-reset']) {
    expect(changesSession(path), path).toBe(false);
  }
});

test('cached data stays fresh for five seconds', () => {
  expect(createQueryClient().getDefaultOptions().queries?.staleTime).toBe(5000);
});

test('without a network, calls fail instead of waiting for it', async () => {
  const client = createQueryClient();
  const fail = () => Promise.reject(new Error('The server could not be reached.'));
  onlineManager.setOnline(false);
  try {
    const change = new MutationObserver(client, { mutationFn: fail, meta: { isErrorShown: true } });
    await expect(change.mutate()).rejects.toThrow('The server could not be reached.');
    const read = client.fetchQuery({ queryKey: ['org', 'o', 'plans'], queryFn: fail, retry: false });
    await expect(read).rejects.toThrow('The server could not be reached.');
  } finally {
    onlineManager.setOnline(true);
  }
});

describe('the deployment status is polled', () => {
  const preview = {
    environmentId: 'e',
    environmentName: 'Preview',
    environmentType: 'preview',
    isHead: true,
    deployInProgress: false,
    artifactId: 'a' as string | null,
    locations: [{ location: 'weur', isUpToDate: true, failedAt: null as number | null }],
  };
  const query = (...changes: Partial<typeof preview>[]) => ({
    state: {
      data: { environments: changes.map((change) => ({ ...preview, ...change })) },
      dataUpdatedAt: 1_000_000,
      isInvalidated: false,
    },
  });
  const intervalFor = (of: object) => {
    const { refetchInterval } = deploymentStatusQuery('o');
    return typeof refetchInterval === 'function' ? refetchInterval(of as never) : refetchInterval;
  };

  test.each([
    [2000, 'a deployment is in progress', { deployInProgress: true }],
    [2000, 'the preview environment is behind', { isHead: false }],
    [
      2000,
      'the preview environment of a new organisation is not built yet',
      { isHead: false, artifactId: null },
    ],
    [false, 'everything is deployed', {}],
    [false, 'another environment is behind', { environmentType: 'deployable', isHead: false }],
    [
      false,
      'another environment runs nothing',
      { environmentType: 'deployable', isHead: false, artifactId: null },
    ],
  ])('after %s ms when %s', (interval, _what, change) => {
    expect(intervalFor(query({}, change))).toBe(interval);
  });

  test('not before it is known', () => {
    expect(intervalFor({ state: { data: undefined } })).toBe(false);
  });

  test('ever more slowly while nothing changes, until something does', () => {
    const watched = query({ isHead: false });
    const [environment] = watched.state.data.environments;
    const later = (minutes: number) => {
      watched.state.dataUpdatedAt += minutes * 60_000;
      return intervalFor(watched);
    };
    expect([intervalFor(watched), later(1), later(1), later(58)]).toEqual([2000, 2000, 4000, 120_000]);
    Object.assign(environment?.locations[0] ?? {}, { failedAt: 5 });
    expect(intervalFor(watched)).toBe(120_000);
    watched.state.isInvalidated = true;
    expect(intervalFor(watched)).toBe(2000);
    watched.state.isInvalidated = false;
    expect(later(2)).toBe(4000);
    Object.assign(environment ?? {}, { artifactId: 'b' });
    expect(later(1)).toBe(2000);
  });
});

test('a page does not ask again for what its own first call did not find, until that is no longer fresh', async () => {
  vi.useFakeTimers();
  try {
    const client = createQueryClient();
    let calls = 0;
    const options = {
      queryKey: ['org', 'o', 'features', 'gone'],
      queryFn: async () => {
        calls += 1;
        throw new ApiError({ errorType: 'not-found', message: 'The feature could not be found' });
      },
    };
    const mount = async () => {
      const observer = new QueryObserver(client, client.defaultQueryOptions(options));
      const unmount = observer.subscribe(() => {});
      await vi.advanceTimersByTimeAsync(0);
      unmount();
    };
    await client.prefetchQuery(options);
    await mount();
    expect(calls).toBe(1);
    await vi.advanceTimersByTimeAsync(FRESH_MS + 1);
    await mount();
    expect(calls).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});
