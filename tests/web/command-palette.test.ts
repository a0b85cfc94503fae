// What the command palette lists of a search that only the server can do, and of the pages opened before.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { filterPalette } from '../../web/shell/palette-filter.ts';
import { type FoundCustomer, foundBy, isSearched, type Search } from '../../web/shell/palette-found.ts';
import { readRecents, rememberRecent } from '../../web/shell/palette-recents.ts';
import { stubStorage } from './stub-storage.ts';

const ada = (identifier: string, changes: Partial<FoundCustomer> = {}): FoundCustomer => ({
  identifier,
  name: null,
  email: 'ada@example.com',
  ...changes,
});

const search = (changes: Partial<Search>) =>
  foundBy({
    orgId: 'org_1',
    query: 'ada',
    customers: undefined,
    hasFailed: false,
    isSearching: true,
    onRetry: () => undefined,
    ...changes,
  });

const customersOf = (changes: Partial<Search>) =>
  search(changes).groups.find(({ title }) => title === 'Customers')?.items ?? [];

test('each customer that is found is a row, also with the email of another, and opens itself', () => {
  const customers = [
    ...[ada('user_1'), ada('cus_2', { name: 'Ada L.' }), ada('ada@example.com')],
    ...[ada('user_3', { email: null }), ada('cus_4', { name: 'Eve' }), ada('cus_5', { name: 'Eve' })],
  ];
  expect(customersOf({ customers }).map(({ label, aside, to }) => [label, aside, to])).toEqual([
    ['ada@example.com', 'user_1', '/o/org_1/customers/user_1'],
    ['Ada L.', 'ada@example.com', '/o/org_1/customers/cus_2'],
    ['ada@example.com', undefined, '/o/org_1/customers/ada%40example.com'],
    ['user_3', undefined, '/o/org_1/customers/user_3'],
    ['Eve', 'cus_4', '/o/org_1/customers/cus_4'],
    ['Eve', 'cus_5', '/o/org_1/customers/cus_5'],
  ]);
  expect(new Set(customersOf({ customers }).map(({ id }) => id)).size).toBe(6);
});

test.each(['', ' ', '\u200b', '\u3164'])(
  'every found customer has a label, also with the name %j',
  (name) => {
    const rows = customersOf({
      customers: [
        ada('cus_1', { name }),
        ada('cus_2', { name, email: name }),
        ada('\u2060', { name, email: null }),
      ],
    });
    expect(rows.map(({ label, aside }) => [label, aside])).toEqual([
      ['ada@example.com', 'cus_1'],
      ['cus_2', undefined],
      ['[U+2060]', undefined],
    ]);
  },
);

test('customers are searched by two letters, and by one of a script in which it may be a name', () => {
  expect(['Ng', '太', '太郎', '김', 'ø', '𠮷'].filter((text) => !isSearched(text))).toEqual([]);
  expect(['', 'n', '('].filter(isSearched)).toEqual([]);
});

test('a search that runs, found nothing, or failed are told apart', () => {
  expect(search({})).toMatchObject({ isSearching: true, failure: { items: [] } });
  expect(search({ customers: [] })).toMatchObject({ isSearching: false, failure: { items: [] } });
  expect(search({ query: 'a', isSearching: false })).toMatchObject({ isSearching: false });
  let retries = 0;
  const failed = search({ hasFailed: true, onRetry: () => retries++ });
  expect(failed.isSearching).toBe(false);
  expect(failed.failure.items).toMatchObject([
    { label: 'Customers could not be searched', aside: 'Try again', keywords: ['ada'], staysOpen: true },
  ]);
  failed.failure.items[0]?.run?.();
  expect(retries).toBe(1);
  expect(customersOf({ hasFailed: true })).toEqual([]);
});

test('an event is found by its id and by the request id of a response, and nothing without an organisation', () => {
  const id = '0'.repeat(26);
  for (const query of [`evt_${id}`, ` req_${id} `]) {
    expect(search({ query }).groups[0]?.items).toMatchObject([
      { label: `Open event evt_${id}`, keywords: [query] },
    ]);
  }
  expect(search({ query: `evt_${id}`, orgId: null, isSearching: false })).toMatchObject({
    groups: [],
    isSearching: false,
  });
});

test.each([
  ['create v', ['Create a version']],
  ['billing plan', ['Plan & Billing']],
  ['plan', ['Plan & Billing', 'Create a plan']],
  ['CREATE plan', ['Create a plan']],
  ['new', ['Create a version', 'Create a plan']],
  ['new plan', ['Create a plan']],
  ['create x', []],
])('what is typed as %j finds %j, whatever the order of the words', (query, labels) => {
  const data = [
    { group: 'Pages', actions: [{ id: 'billing', label: 'Plan & Billing' }] },
    {
      group: 'Actions',
      actions: [
        { id: 'version', label: 'Create a version', keywords: ['new'] },
        { id: 'create-plan', label: 'Create a plan', keywords: ['new'] },
      ],
    },
  ];
  const found = filterPalette(query, data).flatMap((item) => ('actions' in item ? item.actions : []));
  expect(found.map(({ label }) => label)).toEqual(labels);
});

describe('the pages last opened', () => {
  const ada = { userId: 'u', isSudoAccess: false, orgId: 'org_1' };
  const [features, account] = [
    { label: 'Features', to: '/o/org_1/features' },
    { label: 'Account', to: '/account' },
  ];

  beforeEach(() => void stubStorage());
  afterEach(() => vi.unstubAllGlobals());

  test('are those of the organisation and of none, the newest first, each once', () => {
    rememberRecent('u', features);
    rememberRecent('u', { label: 'Plans', to: '/o/org_2/plans' });
    rememberRecent('u', account);
    rememberRecent('u', features);
    expect(readRecents(ada)).toEqual([features, account]);
    expect(readRecents({ ...ada, orgId: null })).toEqual([account]);
  });

  test('are not shown to the next user of the browser', () => {
    rememberRecent('u', account);
    expect(readRecents({ ...ada, userId: 'v' })).toEqual([]);
    expect(readRecents({ ...ada, userId: undefined })).toEqual([]);
    rememberRecent('v', features);
    expect(readRecents({ ...ada, userId: 'v' })).toEqual([features]);
    expect(readRecents(ada)).toEqual([]);
  });

  test('include those of the sudo area only in sudo mode', () => {
    const users = { label: 'Sudo Users', to: '/sudo-users' };
    rememberRecent('u', users);
    expect(readRecents(ada)).toEqual([]);
    expect(readRecents({ ...ada, isSudoAccess: true })).toEqual([users]);
  });

  test.each([
    '',
    '[]',
    '[{"label":"Account","to":"/account"}]',
    '{"userId":"u"}',
    '{"userId":"u","recents":[1]}',
  ])('are none if storage has %j', (text) => {
    localStorage.setItem('palette-recents', text);
    expect(readRecents(ada)).toEqual([]);
  });
});
