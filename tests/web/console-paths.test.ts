// The Worker answers 404 for what is not among the console's paths, so the list must be the router's.
import type { RouteObject } from 'react-router';
import { expect, test } from 'vitest';
import { consolePageAt } from '#contracts/console/console-page-at';
import { CONSOLE_PATHS } from '#contracts/console/console-paths';
import { routes } from '#web/router.tsx';

/** The full path of every page below these routes. */
function pathsOf(list: readonly RouteObject[], parent = ''): string[] {
  return list.flatMap((route) => {
    const path = route.path?.startsWith('/') ? route.path : [parent, route.path].filter(Boolean).join('/');
    return route.children ? pathsOf(route.children, path) : [path];
  });
}

test('the list has every path of the router, and no other', () => {
  const paths = Object.values(CONSOLE_PATHS).map((path) => path.replace(/(?<=.)\/$/, ''));
  expect(pathsOf(routes).sort()).toEqual([...paths, '*'].sort());
});

test.each(['/', '/SignIn/', '/o/org_1/', '/o/org_1/customers/a%2Fb@x.test', '/o/org_1/plans/p/manage'])(
  '%s is a page',
  (path) => expect(consolePageAt(path)).not.toBeNull(),
);

test.each(['/wp-login.php', '/o', '/o//team', '/o/org_1/teams', '/o/org_1/team/x', '/o/org_1/plans/p/a/b'])(
  '%s is none',
  (path) => expect(consolePageAt(path)).toBeNull(),
);

test.each([
  ['/', 'home', []],
  ['/o/org_1', 'dashboard', ['org_1']],
  ['/o/org_1/plans/compare', 'comparePlans', ['org_1']],
  ['/o/org_1/plans/p', 'plan', ['org_1', 'p', undefined]],
  ['/o/org_1/plans/p/edit-features/', 'planFeatures', ['org_1', 'p']],
  ['/o/org_1/environments/environments/e/keys', 'environment', ['org_1', 'e', 'keys']],
])('at %s is the page %s', (path, name, values) => {
  expect(consolePageAt(path)).toEqual({ name, values });
});
