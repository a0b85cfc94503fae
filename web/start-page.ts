/** Starts a page's first queries by its path, together with its code. */
import type { QueryClient } from '@tanstack/react-query';
import { consolePageAt } from '#contracts/console/console-page-at';
import { deploymentStatusQuery } from '#web/domains/environments/deployments/queries.ts';
import { type Page, pages } from './pages.ts';

/**
 * What is fresh or on its way is not asked again.
 * @param ownOrgId the organisation of pages that name none, such as /
 */
export function startPage(client: QueryClient, pathname: string, ownOrgId: string | null): void {
  const found = consolePageAt(pathname);
  if (found === null) return;
  const [orgId = ownOrgId, id = ''] = found.values;
  const { start }: Partial<Page> = (pages as Partial<Record<string, Page>>)[found.name] ?? {};
  if (start === undefined || orgId === null) return;
  void client.prefetchQuery(deploymentStatusQuery(orgId));
  start(client, orgId, id);
}
