// Which organisation is selected, where switching leads, and where sign-in ends (specification, sections 2.6 and 4).
import { describe, expect, test } from 'vitest';
import { inOrganisation } from '../../web/paths.ts';
import { chooseOrganisation } from '../../web/session/choose-organisation.ts';
import { postSignInPath } from '../../web/session/post-sign-in-path.ts';
import {
  administrationEntries,
  isCurrentEntry,
  type NavigationEntry,
  organisationEntries,
  sudoEntries,
  toolEntries,
} from '../../web/shell/navigation.ts';

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

test('switching rewrites the prefix of the path and nothing else', () => {
  expect(inOrganisation('/o/a/features/f', 'b')).toBe('/o/b/features/f');
  expect(inOrganisation('/o/a/', 'b')).toBe('/o/b/');
  expect(inOrganisation('/o/a', 'b')).toBe('/o/b');
  expect(inOrganisation('/account/o/a', 'b')).toBe('/account/o/a');
});

test('sign-in ends at the quick start only for an organisation that has it before itself', () => {
  expect(postSignInPath([], null)).toBe('/');
  expect(postSignInPath(['a'], null)).toBe('/quickstart');
  expect(postSignInPath(['a'], 'paused')).toBe('/quickstart');
  expect(postSignInPath(['a'], 'finished')).toBe('/');
  expect(postSignInPath(['a'], 'dismissed')).toBe('/');
});

const everyEntry = [...organisationEntries, ...administrationEntries, ...toolEntries, ...sudoEntries];

test('the sidebar has the entries of the specification, in its order, and Customers beside the plans', () => {
  const lines = (entries: readonly NavigationEntry[]) =>
    entries.map(({ label, to }) => `${label} ${to('a')}`);
  expect(lines(organisationEntries)).toEqual([
    'Dashboard /o/a/',
    'Integrations /o/a/integrations',
    'Features /o/a/features',
    'Plans /o/a/plans',
    'Customers /o/a/customers',
    'Workflows /o/a/workflows',
    'Environments /o/a/environments/versions',
    'Observability /o/a/observe/events',
  ]);
  expect(lines(administrationEntries)).toEqual([
    'Team /o/a/team',
    'Settings /o/a/settings',
    'Plan & Billing /o/a/billing',
  ]);
  expect(lines(toolEntries)).toEqual(['API Docs /api-docs']);
  expect(lines(sudoEntries)).toEqual(['Sudo Orgs /sudo-orgs', 'Sudo Users /sudo-users']);
});

test('exactly one entry of the sidebar is current on each page', () => {
  const current = (path: string) =>
    everyEntry.filter((entry) => isCurrentEntry(entry, path)).map(({ label }) => label);
  expect(current('/')).toEqual(['Dashboard']);
  expect(current('/o/a/')).toEqual(['Dashboard']);
  expect(current('/o/features')).toEqual(['Dashboard']);
  expect(current('/o/a/features/f')).toEqual(['Features']);
  expect(current('/o/a/environments/environments/e/keys')).toEqual(['Environments']);
  expect(current('/o/a/workflows/w/code')).toEqual(['Workflows']);
  expect(current('/o/a/observe/live')).toEqual(['Observability']);
  expect(current('/o/a/billing')).toEqual(['Plan & Billing']);
  expect(current('/api-docs')).toEqual(['API Docs']);
  expect(current('/sudo-users/u')).toEqual(['Sudo Users']);
  expect(current('/sudo-orgs')).toEqual(['Sudo Orgs']);
  expect(current('/account')).toEqual([]);
});
