/**
 * Client of the authentication service under /api/auth. Unlike `call`, it never throws: an outcome is either data or an
 * error with the status and the response body's fields. Notifies the session after calls that may have changed it.
 */
import { CAPTCHA_HEADER } from '#contracts/console/auth';
import { firstOrFetch } from './first-calls.ts';

export interface AuthError {
  /** 0 for a network failure. */
  readonly status: number;
  readonly statusText: string;
  readonly code?: string;
  readonly message?: string;
  readonly [field: string]: unknown;
}

export type AuthOutcome<T> =
  | { readonly data: T; readonly error: null }
  | { readonly data: null; readonly error: AuthError };

export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly image: string | null;
  readonly sudo: boolean;
}

export interface SignedIn {
  readonly user: User;
  readonly session: { readonly id: string; readonly expiresAt: string };
}

export type SocialProvider = 'google' | 'github';

interface Options {
  readonly body?: object;
  readonly query?: Record<string, string>;
  readonly captcha?: string;
  readonly method?: 'GET' | 'POST';
  /** Set if this call leaves the session alone although its path usually changes it. */
  readonly keepsSession?: boolean;
}

let reportSessionChange: (path: string) => void = () => {};

/** `listener` receives the path of every successful call that may have changed the session. */
export function onSessionChange(listener: (path: string) => void): void {
  reportSessionChange = listener;
}

/** Whether the call ends this browser's session. */
export const endsSession = (path: string): boolean =>
  ['/sign-out', '/revoke-sessions', '/delete-user'].includes(path);

/** The session is fetched again after these calls, or has ended. A password reset ends all existing sessions. */
export function changesSession(path: string): boolean {
  return (
    endsSession(path) ||
    ['/update-user', '/verify-email', '/reset-password'].includes(path) ||
    path.startsWith('/sign-in') ||
    path.startsWith('/sign-up')
  );
}

/** Defaults to POST with a body and GET without. Navigates if the response is `{ url, redirect: true }`. */
async function request<T>(path: string, options: Options = {}): Promise<AuthOutcome<T>> {
  const { body, query, captcha } = options;
  const method = options.method ?? (body === undefined ? 'GET' : 'POST');
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
  let response: Response;
  try {
    const { answer } = firstOrFetch(`/api/auth${path}${search}`, {
      method,
      credentials: 'include',
      headers: {
        ...(method === 'POST' && { 'content-type': 'application/json' }),
        ...(captcha !== undefined && { [CAPTCHA_HEADER]: captcha }),
      },
      body: method === 'POST' ? JSON.stringify(body ?? {}) : null,
    });
    response = await answer;
  } catch {
    return { data: null, error: { status: 0, statusText: 'Network error' } };
  }
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    return {
      data: null,
      error: { ...(answer as object), status: response.status, statusText: response.statusText },
    };
  }
  if (changesSession(path) && !options.keepsSession) reportSessionChange(path);
  const { url, redirect } = (answer ?? {}) as { url?: unknown; redirect?: unknown };
  if (typeof url === 'string' && redirect === true) window.location.assign(url);
  return { data: answer as T, error: null };
}

export const authClient = {
  getSession: () => request<SignedIn | null>('/get-session'),
  signOut: () => request('/sign-out', { method: 'POST' }),
  revokeSessions: () => request('/revoke-sessions', { method: 'POST' }),
  revokeOtherSessions: () => request('/revoke-other-sessions', { method: 'POST' }),
  deleteUser: (proof: { password: string } | { token: string }) => request('/delete-user', { body: proof }),
  mailDeletionLink: () => request('/delete-user', { method: 'POST', keepsSession: true }),
  updateUser: (body: { name: string }) => request('/update-user', { body }),
  sendVerificationEmail: (email: string, captcha: string) =>
    request('/send-verification-email', { body: { email }, captcha }),
  /** To the email of the account that is signed in. */
  requestEmailLink: () => request('/request-email-link', { method: 'POST' }),
  forgetPassword: (email: string, captcha: string) =>
    request('/request-password-reset', { body: { email, redirectTo: '/reset-password' }, captcha }),
  signInEmail: (body: { email: string; password: string }, captcha: string) =>
    request<{ user: User }>('/sign-in/email', { body, captcha }),
  signInSocial: (provider: SocialProvider) =>
    request<{ url?: string }>('/sign-in/social', { body: { provider, callbackURL: '/post-signin' } }),
  signUpEmail: (body: { email: string; password: string; name: string }, captcha: string) =>
    request<{ user: User }>('/sign-up/email', { body, captcha }),
  resetPassword: (body: { newPassword: string; token: string }) => request('/reset-password', { body }),
  verifyEmail: (token: string) => request('/verify-email', { query: { token } }),
  claimEmail: (body: { token: string; password: string }) => request('/verify-email', { body }),
  requestNewAttempts: (email: string, captcha: string) =>
    request('/request-new-attempts', { body: { email }, captcha }),
  useNewAttempts: (token: string) => request<{ email: string }>('/use-new-attempts', { body: { token } }),
};
