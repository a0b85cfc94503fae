/** Who is asked about: as a key of caches and queues, and as the API takes it. */
import type { Context, Subject } from '../index.ts';
import { RaisedError } from './error.ts';

/**
 * Users' ids as they are, since a key that is put together costs more than all else that a cached read does. No id begins with white space, or has a line feed.
 * @throws {TesseraError} invalid-request: a user without an id is no anonymous session
 */
export function subjectKey({ user, token, anonymous, entity }: Subject): string {
  const id = user || (token && ` ${token}`);
  if (id) return entity ? `${id}\n${entity}` : id;
  if (anonymous === true) return '';
  throw new RaisedError('invalid-request', 'on needs a user, token or anonymous: true');
}

export const subjectBody = ({ user, token, entity }: Subject) => ({
  userIdentifier: user,
  userJwt: token,
  entityId: entity,
});

/** Equal for equal contexts, in whatever order. */
export function contextKey(context: Context | undefined): string {
  return context ? JSON.stringify(Object.entries(context).sort()) : '';
}
