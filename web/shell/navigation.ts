/** The sidebar's entries; the command palette lists them, too. They come from web/pages.ts: the router hands them down. */
import type { TablerIcon } from '@tabler/icons-react';
import { createContext } from 'react';

/** `organisation` and `administration` have no heading of their own, `palette` is not in the sidebar. */
export type NavigationGroup = 'organisation' | 'administration' | 'tools' | 'staff' | 'palette';

export interface NavigationEntry {
  readonly group: NavigationGroup;
  readonly label: string;
  readonly icon: TablerIcon;
  /** In the router's notation. */
  readonly path: string;
  /** The entry's page in the selected organisation. */
  readonly to: (orgId: string) => string;
}

export const NavigationContext = createContext<readonly NavigationEntry[]>([]);

/** Otherwise its page belongs to no organisation, so it works while none is selected. */
export const isOfOrganisation = ({ path }: NavigationEntry) => path.startsWith('/o/');

/** Whether `pathname` belongs to the entry: its page, or one below it. */
export function isCurrentEntry(entry: NavigationEntry, pathname: string): boolean {
  const path = entry.path.replace(/\/:tabId\??$/, '');
  if (!isOfOrganisation(entry)) return pathname === path || pathname.startsWith(`${path}/`);
  const [, , , section] = path.split('/');
  if (section === '') return pathname === '/' || /^\/o\/[^/]+\/?$/.test(pathname);
  return pathname.startsWith('/o/') && pathname.split('/')[3] === section;
}
