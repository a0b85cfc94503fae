// Which organisation is selected, how switching changes the URL, and where sign-in leads.
import { describe, expect, test, vi } from 'vitest';
import { ownPageOf } from '#contracts/console/own-page';
import { pageNavigation } from '../../web/page-navigation.ts';
import { inOrganisation } from '../../web/paths.ts';
import { chooseOrganisation } from '../../web/session/choose-organisation.ts';
import { postSignInPath } from '../../web/session/post-sign-in-path.ts';
import {
  forgetReturnUrl,
  pageAfterSignIn,
  rememberReturnUrl,
  signInPath,
  takeReturnUrl,
} from '../../web/session/return-url.ts';
import { isCurrentEntry } from '../../web/shell/navigation.ts';
import { readSidebarState, sidebarCookie } from '../../web/shell/sidebar-state.ts';
import { readTheme, toScheme, toTheme } from '../../web/theme/colour-scheme.ts';
import { stubStorage } from './stub-storage.ts';

const question = { urlOrgId: null, selectedOrgId: null, ownOrgIds: ['a', 'b'], isSudoAccess: false };

describe('the selected organisation', () => {
  test.each([
    ['the first, without one in the address or selected', {}, { kind: 'selected', orgId: 'a' }],
    ['none, for who has none', { ownOrgIds: [] }, { kind: 'selected', orgId: null }],
    ['the one selected before', { selectedOrgId: 'b' }, { kind: 'selected', orgId: 'b' }],
    [
      'the first, when the selected one is no longer open',
      { selectedOrgId: 'x' },
      { kind: 'selected', orgId: 'a' },
    ],
    ['the one in the address', { urlOrgId: 'b', selectedOrgId: 'a' }, { kind: 'selected', orgId: 'b' }],
    ['refused, with the first instead', { urlOrgId: 'x' }, { kind: 'no-access', orgId: 'a' }],
    ['refused, with nothing instead', { urlOrgId: 'x', ownOrgIds: [] }, { kind: 'no-access', orgId: null }],
    ['any, in sudo mode', { urlOrgId: 'x', isSudoAccess: true }, { kind: 'selected', orgId: 'x' }],
    [
      'any viewed before, in sudo mode',
      { selectedOrgId: 'x', isSudoAccess: true },
      { kind: 'selected', orgId: 'x' },
    ],
  ])('%s', (_name, given, expected) => {
    expect(chooseOrganisation({ ...question, ...given })).toEqual(expected);
  });
});

test.each([
  ['/o/a/', '/o/b/?q=1'],
  ['/o/a', '/o/b?q=1'],
  ['/o/a/features', '/o/b/features?q=1'],
  ['/o/a/environments/changes', '/o/b/environments/changes?q=1'],
  ['/o/a/observe/live', '/o/b/observe/live?q=1'],
  ['/o/a/integrations/stripe/connect', '/o/b/integrations/stripe/connect?q=1'],
  ['/account/o/a', '/account/o/a?q=1'],
  ['/o/a/features/f', '/o/b/features'],
  ['/o/a/plans/p/edit-features', '/o/b/plans'],
  ['/o/a/customers/ada@example.com', '/o/b/customers'],
  ['/o/a/workflows/w/code', '/o/b/workflows'],
  ['/o/a/environments/environments/e/keys', '/o/b/environments/environments'],
  ['/o/a/integrations/stripe/i/connect', '/o/b/integrations'],
  ['/o/a/integrations/stripe/connected', '/o/b/integrations'],
])('switching on %s leads to %s', (path, expected) => {
  expect(inOrganisation(path, 'b', '?q=1')).toBe(expected);
});

test.each([
  [
    '/observe/events',
    '?q=a+b&type=check&outcome=denied&country=NL&range=7d',
    '?q=a+b&type=check&outcome=denied&country=NL&range=7d',
  ],
  ['/observe/events', '?from=1&to=2&environment=e&plan=p&feature=f&before=3&event=v&tab=why', '?from=1&to=2'],
  ['/observe/metrics', '?environment=e&range=1h', '?range=1h'],
  ['/customers', '?query=ada&filter=granted&customer=c', '?query=ada&filter=granted'],
  ['/environments/changes', '?version=2', ''],
  ['/settings', '?token=t', ''],
])('switching on %s%s keeps what means the same in both organisations', (page, search, kept) => {
  expect(inOrganisation(`/o/a${page}`, 'b', search)).toBe(`/o/b${page}${kept}`);
});

test('a page of no organisation keeps its query', () => {
  expect(inOrganisation('/api-docs', 'b', '?language=go')).toBe('/api-docs?language=go');
});

test('sign-in leads to the quick start only while the organisation has not finished it', () => {
  expect(postSignInPath([], null)).toBe('/');
  expect(postSignInPath(['a'], null)).toBe('/quickstart');
  expect(postSignInPath(['a'], 'paused')).toBe('/quickstart');
  expect(postSignInPath(['a'], 'finished')).toBe('/');
  expect(postSignInPath(['a'], 'dismissed')).toBe('/');
});

test('the sidebar has its entries in a fixed order', () => {
  const lines = (group: string) =>
    pageNavigation.filter((entry) => entry.group === group).map(({ label, to }) => `${label} ${to('a')}`);
  expect(lines('organisation')).toEqual([
    'Dashboard /o/a/',
    'Integrations /o/a/integrations',
    'Webhooks /o/a/webhooks',
    'Features /o/a/features',
    'Plans /o/a/plans',
    'Customers /o/a/customers',
    'Workflows /o/a/workflows',
    'Environments /o/a/environments/versions',
    'Observability /o/a/observe/events',
  ]);
  expect(lines('administration')).toEqual([
    'Team /o/a/team',
    'Settings /o/a/settings',
    'Plan & Billing /o/a/billing',
  ]);
  expect(lines('tools')).toEqual(['API Docs /api-docs', 'Guides /docs']);
  expect(lines('staff')).toEqual(['Sudo Orgs /sudo-orgs', 'Sudo Users /sudo-users']);
});

test('the palette has the pages of the sidebar, and further ones; the account is last', () => {
  expect(pageNavigation.filter(({ group }) => group === 'palette').map(({ label }) => label)).toEqual([
    'Activity',
    'Account',
  ]);
  expect(pageNavigation.at(-1)?.label).toBe('Account');
});

test('exactly one entry of the sidebar is current on each page', () => {
  const current = (path: string) =>
    pageNavigation
      .filter((entry) => entry.group !== 'palette' && isCurrentEntry(entry, path))
      .map(({ label }) => label);
  expect(current('/')).toEqual(['Dashboard']);
  expect(current('/o/a/')).toEqual(['Dashboard']);
  expect(current('/o/features')).toEqual(['Dashboard']);
  expect(current('/o/a/webhooks/w/manage')).toEqual(['Webhooks']);
  expect(current('/o/a/features/f')).toEqual(['Features']);
  expect(current('/o/a/environments/environments/e/keys')).toEqual(['Environments']);
  expect(current('/o/a/workflows/w/code')).toEqual(['Workflows']);
  expect(current('/o/a/observe/live')).toEqual(['Observability']);
  expect(current('/docs/nextjs')).toEqual(['Guides']);
  expect(current('/o/a/billing')).toEqual(['Plan & Billing']);
  expect(current('/api-docs')).toEqual(['API Docs']);
  expect(current('/sudo-users/u')).toEqual(['Sudo Users']);
  expect(current('/sudo-orgs')).toEqual(['Sudo Orgs']);
  expect(current('/account')).toEqual([]);
});

const origin = 'https://console.example';

describe('a path of the console is followed, with query and fragment', () => {
  test.each(['/', '/account', '/o/org_1/features?search=a#top', '/o/org_1/plans/a%2Fb'])('%s', (path) => {
    expect(ownPageOf(path)).toBe(path);
  });
});

describe('a URL that may lead to another site is not followed', () => {
  test.each([
    '',
    'account',
    '//evil.example',
    '/\\evil.example',
    '/%5c..//evil.example\\',
    'https://evil.example',
    'https://console.example@evil.example',
    'https://console.example/account',
    'javascript:alert(1)',
    'data:text/html,x',
    '/\t/evil.example',
    '/\n//evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/./\\evil.example',
    '/..//..//evil.example',
    '/account/..//evil.example',
    '/%2e//evil.example',
    '/%2E%2e//evil.example',
    '/.%2e//evil.example',
    '/account/%2e%2e//evil.example',
    '/%2f%2fevil.example',
    '/%2Fevil.example',
    '/%5cevil.example',
    '/.%2f/evil.example',
    '/%2e%2f/evil.example',
    '/account%2f..%2f/evil.example',
    '/..;\\..//evil.example',
    '///evil.example',
    '/\\/evil.example',
    '\\\\evil.example',
    '/\r/evil.example',
    '/.\t//evil.example',
    '/%09/..//evil.example',
    '/%0a/evil.example',
    '/%00',
    '/%',
    ' //evil.example',
    'HTTPS:evil.example',
    'https:/evil.example',
    '?next=//evil.example',
    '/\ud800',
  ])('%j', (value) => {
    expect(ownPageOf(value)).toBeNull();
  });
});

test('the sign-in path contains the return path and its query', () => {
  const url = new URL(signInPath('/o/org_1/features?search=a b'), origin);
  expect(url.pathname).toBe('/signin');
  expect(url.searchParams.get('returnUrl')).toBe('/o/org_1/features?search=a b');
  const docs = new URL(signInPath('/api-docs#update'), origin);
  expect(docs.searchParams.get('returnUrl')).toBe('/api-docs#update');
});

test('a sign-in that returns to / goes through /post-signin, which knows whether the quick start is next', () => {
  expect(pageAfterSignIn('/')).toBe('/post-signin');
  expect(pageAfterSignIn(null)).toBe('/post-signin');
  expect(pageAfterSignIn('/account')).toBe('/account');
  expect(pageAfterSignIn('/post-signin?from=mail')).toBe('/post-signin');
});

test('the stored page to return to is opened once, within an hour, and never /post-signin itself', () => {
  stubStorage();
  const HOUR_MS = 3_600_000;
  rememberReturnUrl('/account', 0);
  rememberReturnUrl('/post-signin', 1);
  rememberReturnUrl(null, 1); // The way back to sign-in, for example from a provider, does not name it.
  expect(takeReturnUrl(HOUR_MS - 1)).toBe('/account');
  expect(takeReturnUrl(HOUR_MS - 1)).toBeNull();
  rememberReturnUrl('/account', 0);
  expect(takeReturnUrl(HOUR_MS)).toBeNull();
  rememberReturnUrl('/account', 0);
  forgetReturnUrl();
  expect(takeReturnUrl(1)).toBeNull();
  vi.unstubAllGlobals();
});

test('the sidebar is open unless its cookie says it is closed', () => {
  expect(readSidebarState('')).toBe(true);
  expect(readSidebarState('a=b; sidebar_state=true')).toBe(true);
  expect(readSidebarState('a=b; sidebar_state=false; c=d')).toBe(false);
  expect(readSidebarState('my_sidebar_state=false')).toBe(true);
});

test('the cookie lasts seven days, for the whole console', () => {
  expect(sidebarCookie(false)).toBe('sidebar_state=false; path=/; max-age=604800; SameSite=Lax');
});

test('a theme is light, dark or system, and any other stored value means system', () => {
  for (const theme of ['light', 'dark', 'system'] as const) {
    expect(readTheme(theme)).toBe(theme);
    expect(toTheme(toScheme(theme))).toBe(theme);
  }
  expect(readTheme(null)).toBe('system');
  expect(readTheme('<script>')).toBe('system');
});
