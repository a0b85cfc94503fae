/** Starts the calls of the signed-in frame and of its page together with the session's, instead of after it. */
import type { QueryClient } from '@tanstack/react-query';
import { isPrivateKey } from '#web/api/refresh.ts';
import { keepFrame, restoreFrame } from './frame-memory.ts';
import { invitationsQuery, organisationSummaryQuery, ownOrganisationsQuery } from './queries.ts';
import { selectedOrganisation } from './selected-organisation.ts';
import { onSessionEnd } from './session.ts';
import { wasSignedIn } from './signed-in-hint.ts';

/**
 * Ties the query cache to the session and, in a browser that was signed in before, starts everything that the frame asks. If the
 * session has ended meanwhile, the calls fail and end it as usual.
 * @param pathname of the page: it names the organisation, or the tab's last selection applies, or the first organisation
 * @param startPage starts the page's own calls
 */
export function startFrame(client: QueryClient, pathname: string, startPage: StartPage): void {
  onSessionEnd(() => client.removeQueries({ predicate: ({ queryKey }) => isPrivateKey(queryKey) }));
  restoreFrame(client, pathname);
  keepFrame(client);
  if (!wasSignedIn()) return;
  const first = client.getQueryData(ownOrganisationsQuery.queryKey)?.[0]?.id;
  const orgId = /^\/o\/([\w-]+)/.exec(pathname)?.[1] ?? selectedOrganisation() ?? first ?? null;
  askFirst(client, pathname, orgId, startPage);
}

type StartPage = (client: QueryClient, pathname: string, orgId: string | null) => void;

/** The first calls of every page, and the page's own. The build runs it, too (web/bundling/preload-page.ts). */
export function askFirst(
  client: QueryClient,
  pathname: string,
  orgId: string | null,
  startPage: StartPage,
): void {
  void client.prefetchQuery(ownOrganisationsQuery);
  void client.prefetchQuery(invitationsQuery);
  if (orgId !== null) void client.prefetchQuery(organisationSummaryQuery(orgId));
  startPage(client, pathname, orgId);
}
