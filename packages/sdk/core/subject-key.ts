/** Who is asked about: as a key of caches and queues, and as the API takes it. */
import type { Context, Subject } from '../index.ts';
import { RaisedError } from './error.ts';

/** @throws {TesseraError} invalid-request: a user without an id is no anonymous session */
export function subjectKey({ user, token, anonymous }: Subject): string {
  if (user) return `u${user}`;
  if (token) return `t${token}`;
  if (anonymous === true) return '';
  throw new RaisedError('invalid-request', 'on needs a user, a token, or anonymous: true');
}

export const subjectBody = ({ user, token }: Subject) => ({ userIdentifier: user, userJwt: token });

/** Equal for equal contexts, in whatever order. */
export function contextKey(context: Context | undefined): string {
  return context === undefined ? '' : JSON.stringify(Object.entries(context).sort());
}
