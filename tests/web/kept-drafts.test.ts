// What was typed when a session ends unexpectedly is there again for the same user, and for nobody else.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { currentUserEndpoints } from '../../packages/contracts/console/organisations.ts';
import { answerOf } from '../../web/api/auth-call.ts';
import { authClient } from '../../web/api/auth-client.ts';
import { call } from '../../web/api/call.ts';
import { findDraft, forgetDraft, keepDrafts, registerDraft } from '../../web/session/kept-drafts.ts';
import { knownSession, leaveDeliberately, startSession } from '../../web/session/session.ts';

const FORM = '/o/org_1/features/feat_1 name,description';
const typed = {
  name: 'Data export',
  description: 'Half a sent',
  password: 'hunter2',
  secretKey: 'sk_live_1',
  userJwt: 'eyJ',
};
const kept = { name: 'Data export', description: 'Half a sent' };
const user = {
  id: 'usr_ada',
  name: 'Ada',
  email: 'ada@people.example',
  emailVerified: true,
  image: null,
  sudo: false,
};

let unregister: () => void;
let answers: (path: string) => Response;

/** Like the browser's: the items are its own properties. */
function memoryStorage(): Storage {
  const methods = {
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null;
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
  };
  return Object.create(methods) as Storage;
}

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('sessionStorage', memoryStorage());
  answers = (path) =>
    path.startsWith('/api/auth/get-session')
      ? Response.json({ user, session: { id: 'ses_1', expiresAt: '2030-01-01T00:00:00.000Z' } })
      : Response.json({ status: true });
  vi.stubGlobal('fetch', async (url: string) => answers(url));
  void startSession();
  await vi.advanceTimersByTimeAsync(10);
  unregister = registerDraft(FORM, () => typed);
});

afterEach(() => {
  unregister();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const refuse = () => {
  answers = () => Response.json({ errorType: 'unauthenticated', message: 'Please sign in' }, { status: 401 });
};
const sessionEnds = async () => {
  refuse();
  await expect(call(currentUserEndpoints.organisations, {})).rejects.toThrow();
};

test('a call that is refused keeps the text of unsaved forms, without passwords and keys', async () => {
  await sessionEnds();
  expect(findDraft(FORM, user.id)).toEqual(kept);
  expect(findDraft(FORM, 'usr_eve')).toBeNull();
  expect(findDraft(FORM, undefined)).toBeNull();
  forgetDraft(FORM);
  expect(findDraft(FORM, user.id)).toBeNull();
});

test.each([
  ['the name', () => authClient.updateUser({ name: 'Ada' })],
  ['other sessions', () => authClient.revokeOtherSessions()],
  ['the deletion by mail', () => authClient.mailDeletionLink()],
  ['the deletion', () => leaveDeliberately(() => authClient.deleteUser({ password: 'p' }))],
  ['all sessions', () => leaveDeliberately(() => authClient.revokeSessions())],
])('so does a call of the account page that is refused: %s', async (_name, change) => {
  refuse();
  await expect(answerOf(change())).rejects.toThrow('Please sign in');
  expect(knownSession()).toBeNull();
  expect(findDraft(FORM, user.id)).toEqual(kept);
});

test('a refusal of another kind, or of a password at sign-in, ends no session', async () => {
  answers = () =>
    Response.json({ errorType: 'invalid-request', message: 'Invalid password' }, { status: 400 });
  await expect(answerOf(authClient.deleteUser({ password: 'wrong' }))).rejects.toThrow('Invalid password');
  refuse();
  await authClient.signInEmail({ email: user.email, password: 'wrong' }, 'pass');
  expect(knownSession()?.user.id).toBe(user.id);
});

test.each([
  ['nobody', null],
  ['somebody else', { user: { ...user, id: 'usr_eve' }, session: { id: 'ses_2', expiresAt: '2030' } }],
])('another tab that leaves %s signed in takes no text either', async (_who, session) => {
  const reload = vi.fn();
  vi.stubGlobal('window', { addEventListener: vi.fn(), location: { reload } });
  const tabs = new EventTarget();
  void startSession(undefined, Object.assign(tabs, { postMessage: () => {} }) as unknown as BroadcastChannel);
  await vi.advanceTimersByTimeAsync(10);
  answers = () => Response.json(session);
  tabs.dispatchEvent(new MessageEvent('message', { data: session?.user.id ?? null }));
  await vi.advanceTimersByTimeAsync(10);
  expect(findDraft(FORM, user.id)).toEqual(kept);
  expect(findDraft(FORM, 'usr_eve')).toBeNull();
  expect(reload).toHaveBeenCalledTimes(session === null ? 0 : 1);
});

test('secrets within a kept edit are not kept either', async () => {
  unregister();
  unregister = registerDraft(FORM, () => ({ base: { name: 'Old', secretKey: '' }, values: typed }));
  await sessionEnds();
  expect(findDraft(FORM, user.id)).toEqual({ base: { name: 'Old' }, values: kept });
});

test('a form without changes, or one that was closed, keeps nothing', async () => {
  unregister();
  unregister = registerDraft(FORM, () => null);
  await sessionEnds();
  expect(findDraft(FORM, user.id)).toBeNull();
});

test('a log-out forgets what was kept', async () => {
  keepDrafts(user.id);
  expect(findDraft(FORM, user.id)).toEqual(kept);
  await authClient.signOut();
  expect(findDraft(FORM, user.id)).toBeNull();
});

test('an edited or blocked storage is as good as none', () => {
  sessionStorage.setItem(`draft:${FORM}`, '{"userId":');
  expect(findDraft(FORM, user.id)).toBeNull();
  vi.stubGlobal('sessionStorage', undefined);
  keepDrafts(user.id);
  expect(findDraft(FORM, user.id)).toBeNull();
});
