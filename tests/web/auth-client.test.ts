// The outcomes of calls to the authentication service.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { problemOfFailure, problemOfSignIn } from '../../web/domains/auth/problem-of-failure.ts';

// A client of its own: the one that other files have used reads the session again after a change.
vi.resetModules();
const { authClient } = await import('../../web/api/auth-client.ts');
const { answerOf } = await import('../../web/api/auth-call.ts');
const { errorNotice } = await import('../../web/api/error-notice.ts');

afterEach(() => vi.unstubAllGlobals());

/** Every call is answered by `answer`; what was sent is kept. */
function stubFetch(answer: () => Response): { url: string; init: RequestInit }[] {
  const sent: { url: string; init: RequestInit }[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sent.push({ url, init });
    return answer();
  });
  return sent;
}

const ok = () => Response.json({ status: true });

describe('a call', () => {
  test('that fails yields its status, its text and the fields of the body', async () => {
    stubFetch(() =>
      Response.json({ code: 'disabled', message: 'Not yet' }, { status: 403, statusText: 'Forbidden' }),
    );
    expect(await authClient.verifyEmail('t')).toEqual({
      data: null,
      error: { status: 403, statusText: 'Forbidden', code: 'disabled', message: 'Not yet' },
    });
  });

  test('whose failure has no JSON yields its status alone', async () => {
    stubFetch(() => new Response('<html>', { status: 502, statusText: 'Bad Gateway' }));
    expect(await authClient.signOut()).toEqual({
      data: null,
      error: { status: 502, statusText: 'Bad Gateway' },
    });
  });

  test('that never reaches the server is an outcome too', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    const { data, error } = await authClient.getSession();
    expect(data).toBeNull();
    expect(error?.status).toBe(0);
  });

  test('that never reaches the server fails a signed-in user’s change as every other call does', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    const failed = await answerOf(authClient.updateUser({ name: 'Ada' })).catch((error: unknown) => error);
    expect(errorNotice(failed)).toEqual({
      title: 'An error occurred',
      description: 'The server could not be reached. Check your connection and try again.',
    });
  });

  test('is a POST with a body and a GET without, with the cookies of the page', async () => {
    const sent = stubFetch(ok);
    await authClient.getSession();
    await authClient.verifyEmail('a token');
    await authClient.updateUser({ name: 'Ada' });
    expect(sent.map(({ url, init }) => [init.method, url, init.body, init.credentials])).toEqual([
      ['GET', '/api/auth/get-session', null, 'include'],
      ['GET', '/api/auth/verify-email?token=a+token', null, 'include'],
      ['POST', '/api/auth/update-user', '{"name":"Ada"}', 'include'],
    ]);
  });

  test('that ends something is a POST to its own path', async () => {
    const sent = stubFetch(ok);
    await authClient.signOut();
    await authClient.revokeSessions();
    await authClient.revokeOtherSessions();
    await authClient.deleteUser({ password: 'p' });
    expect(sent.map(({ url, init }) => `${init.method} ${url}`)).toEqual([
      'POST /api/auth/sign-out',
      'POST /api/auth/revoke-sessions',
      'POST /api/auth/revoke-other-sessions',
      'POST /api/auth/delete-user',
    ]);
  });

  test('that human verification protects carries its answer', async () => {
    const sent = stubFetch(ok);
    await authClient.signInEmail({ email: 'a@b.example', password: 'p' }, 'one');
    await authClient.signUpEmail({ email: 'a@b.example', password: 'p', name: 'Ada' }, 'two');
    await authClient.forgetPassword('a@b.example', 'three');
    const header = ({ init }: (typeof sent)[number]) => new Headers(init.headers).get('x-captcha-response');
    expect(sent.map(header)).toEqual(['one', 'two', 'three']);
    expect(sent[2]?.init.body).toBe('{"email":"a@b.example","redirectTo":"/reset-password"}');
  });

  test.each([
    ['with redirect true leads to its url', { url: 'https://provider.example/', redirect: true }, 1],
    ['without it leads nowhere', { url: 'https://provider.example/', redirect: false }, 0],
  ])('%s', async (_name, answer, times) => {
    stubFetch(() => Response.json(answer));
    const assign = vi.fn();
    vi.stubGlobal('window', { location: { assign } });
    await authClient.signInSocial('github');
    expect(assign).toHaveBeenCalledTimes(times);
  });
});

test.each([
  [503, 'Too many sign-ins right now. Please try again in a few seconds.', undefined],
  [503, undefined, 'Something went wrong, try again later.'],
  [500, 'Stack trace', 'Something went wrong, try again later.'],
  [429, undefined, 'Too many attempts. Please try again later.'],
])(
  'a failure with status %i and the message %s is told at sign-up, reset and sign-in',
  (status, message, text = message) => {
    const error = { status, statusText: '', ...(message !== undefined && { message }) };
    expect(problemOfFailure(error)).toBe(text);
    expect(problemOfSignIn(error)).toBe(text);
  },
);
