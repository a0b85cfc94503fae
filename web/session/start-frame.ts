/** Starts the calls of the signed-in frame together with the session's, instead of after it. */
import type { QueryClient } from '@tanstack/react-query';
import { invitationsQuery, organisationSummaryQuery, ownOrganisationsQuery } from './queries.ts';
import { selectedOrganisation } from './selected-organisation.ts';
import { wasSignedIn } from './signed-in-hint.ts';

/**
 * Does nothing in a browser that was not signed in before. If the session has ended meanwhile, the calls fail and end it as usual.
 * @param pathname of the page: it names the organisation, or the tab's last selection applies
 */
export function startFrame(client: QueryClient, pathname: string): void {
  if (!wasSignedIn()) return;
  const orgId = /^\/o\/([\w-]+)/.exec(pathname)?.[1] ?? selectedOrganisation();
  void client.prefetchQuery(ownOrganisationsQuery);
  void client.prefetchQuery(invitationsQuery);
  if (orgId !== null) void client.prefetchQuery(organisationSummaryQuery(orgId));
}
