/** The part of the kept frame that is in the query cache: the user's organisations and invitations. */
import type { QueryClient } from '@tanstack/react-query';
import type { SignedIn } from '#web/api/auth-client.ts';
import { forgetFrame, readFrame, writeFrame } from './kept-frame.ts';
import { invitationsQuery, ownOrganisationsQuery } from './queries.ts';
import { knownSession, watchSession } from './session.ts';

/** Puts the kept results into the cache, as stale ones: `dataUpdatedAt` is 0 until the server has answered. */
export function restoreFrame(client: QueryClient, pathname: string): void {
  const [, organisations = null, invitations = null] = readFrame(pathname) ?? [];
  if (organisations !== null)
    client.setQueryData<unknown>(ownOrganisationsQuery.queryKey, organisations, { updatedAt: 0 });
  if (invitations !== null)
    client.setQueryData<unknown>(invitationsQuery.queryKey, invitations, { updatedAt: 0 });
}

/** What the frame shows of the session: not the browser and the network address that the server sends with it. */
function frameOf({ user, session }: SignedIn): SignedIn {
  const { id, name, email, emailVerified, image, sudo } = user;
  return {
    user: { id, name, email, emailVerified, image, sudo },
    session: { id: session.id, expiresAt: session.expiresAt },
  };
}

/** Keeps the frame from now on, whenever the server confirms a part of it, as long as somebody is signed in. */
export function keepFrame(client: QueryClient): void {
  const keep = () => {
    const session = knownSession();
    if (!session) return forgetFrame();
    const organisations = client.getQueryData(ownOrganisationsQuery.queryKey) ?? null;
    const invitations = client.getQueryData(invitationsQuery.queryKey);
    // A pending invitation is shown above the page: an old one must not appear and vanish.
    const isQuiet = Array.isArray(invitations) && invitations.length === 0;
    writeFrame([frameOf(session), organisations, isQuiet ? invitations : null]);
  };
  watchSession(keep);
  client.getQueryCache().subscribe(({ type, query: { state, queryKey } }) => {
    if (type === 'updated' && state.status === 'success' && queryKey[0] === 'user') keep();
  });
}
