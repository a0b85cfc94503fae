/** Starts a page's first queries by its path, together with its code. */
import type { QueryClient } from '@tanstack/react-query';
import { consolePageAt } from '#contracts/console/console-page-at';
import { deploymentStatusQuery } from '#web/domains/environments/deployments/queries.ts';
import { type Page, pages } from './pages.ts';

const entryOf = (name: string): Partial<Page> => (pages as Partial<Record<string, Page>>)[name] ?? {};

/** The code that a page loads on request, such as the editor's. */
export function loadAhead(pathname: string): void {
  const found = consolePageAt(pathname);
  // The part itself reports a failure.
  if (found !== null)
    void entryOf(found.name)
      .loadAhead?.()
      .catch(() => undefined);
}

/**
 * What is fresh or on its way is not asked again.
 * @param ownOrgId the organisation of pages that name none, such as /
 */
export function startPage(client: QueryClient, pathname: string, ownOrgId: string | null): void {
  const found = consolePageAt(pathname);
  if (found === null) return;
  const [orgId = ownOrgId, id = ''] = found.values;
  const { start } = entryOf(found.name);
  if (start === undefined || orgId === null) return;
  void client.prefetchQuery(deploymentStatusQuery(orgId));
  start(client, orgId, id);
}
