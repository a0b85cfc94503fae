/** The entries of the navigation and the palette, in the order of the pages. */
import { CONSOLE_PATHS } from '#contracts/console/console-paths';
import { pages } from './pages.ts';
import type { NavigationEntry } from './shell/navigation.ts';

export const pageNavigation = (Object.keys(pages) as (keyof typeof pages)[]).flatMap(
  (name): NavigationEntry[] => {
    const { title = '', navigation, tabs: [firstTab = ''] = [] } = pages[name];
    const path = CONSOLE_PATHS[name];
    const to = (orgId: string) =>
      path.replace(':orgId', orgId).replace(/\/:tabId\??/, firstTab && `/${firstTab}`);
    return navigation === undefined ? [] : [{ label: title, path, to, ...navigation }];
  },
);
