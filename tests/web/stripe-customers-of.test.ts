// What the Stripe card of a customer's page says: what checks in the environment shown use, and nothing else.
import { describe, expect, test } from 'vitest';
import type { Customer } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { LinkedCustomer } from '#contracts/console/linked-customer';
import { isOfSameMode, stripeCustomersOf } from '../../web/domains/customers/person/stripe-customers-of.ts';

const staging = { id: 'env_staging', type: 'test' } as Environment;
const live = { id: 'env_live', type: 'live' } as Environment;
const at = (id: string, more: Partial<LinkedCustomer> = {}) =>
  ({
    id,
    integrationId: 'int_1',
    testMode: true,
    email: null,
    userId: null,
    joins: [],
    ...more,
  }) as LinkedCustomer;
const joined = (environmentId: string, sameAs: string) => ({ environmentId, sameAs, by: null, joinedAt: 1 });
const created = (environmentId: string, email: string | null = null, userId: string | null = null) => ({
  environmentId,
  name: null,
  email,
  userId,
});

interface Shown {
  readonly linked: readonly LinkedCustomer[];
  readonly created?: Customer['created'];
  /** Whom a check is answered for, and its aliases. */
  readonly owner?: string;
  readonly aliases?: readonly string[];
  readonly environment?: Environment;
}

function shown(
  identifier: string,
  { linked, owner = identifier, aliases = [], environment = staging, ...rest }: Shown,
) {
  const customer = { identifier, linked: [...linked], created: rest.created ?? [] };
  const entitled = {
    identifier: owner,
    viaUserIds: aliases.map((userId) => ({ userId, grants: [], overrides: [] })),
  };
  return stripeCustomersOf(customer, entitled, environment);
}

const said = (...args: Parameters<typeof shown>) => shown(...args).description;
const SHARED = 'Checks by each of its IDs share plans, usage, grants and overrides.';

describe('a customer created by API', () => {
  const here = [created('env_staging', 'ada@q.example')];

  test('has the plans of others that carry its user ID in checks by that one', () => {
    const carrier = at('cus_2', { userId: 'user_1' });
    const given = {
      linked: [carrier],
      created: [created('env_staging', null, 'user_1')],
      aliases: ['user_1'],
    };
    expect(said('acme', given)).toBe(
      'Checks by user_1 also get the plans of those that have it in their metadata, but not their usage, grants and overrides.',
    );
  });

  test('shares everything with the Stripe customer that it is', () => {
    const one = at('cus_1', { email: 'ada@q.example' });
    expect(said('acme', { linked: [one], created: here, aliases: ['cus_1', 'user_1'] })).toBe(SHARED);
    const other = at('cus_2', { email: 'ada@q.example' });
    expect(said('acme', { linked: [one, other], created: here, aliases: ['cus_1'] })).toBe(
      `${SHARED} Others only have the same email: their plans don’t apply.`,
    );
  });

  test('gets nothing by the email alone', () => {
    const named = { email: 'ada@q.example' };
    expect(said('acme', { linked: [at('cus_1', named)], created: here })).toBe(
      'Same email. Its plans apply once you confirm that both are the same customer.',
    );
    expect(said('acme', { linked: [at('cus_1', named), at('cus_2', named)], created: here })).toBe(
      'Same email. The plans of one apply once you confirm that it is the same customer.',
    );
  });

  test('that two Stripe customers carry as user ID has the plans of both already', () => {
    const linked = [at('cus_1', { userId: 'ws_9' }), at('cus_2', { userId: 'ws_9' })];
    expect(said('ws_9', { linked, created: [created('env_staging')] })).toMatch(
      /^Checks by this ID also get the plans/,
    );
    // One of the same account that somebody joined goes before metadata.
    expect(said('ws_9', { linked, created: [created('env_staging')], aliases: ['cus_1'] })).toBe(SHARED);
  });

  test('joined in another environment, or with the email that it has there, is not the Stripe customer here', () => {
    const one = at('cus_1', { email: 'ada@q.example', joins: [joined('env_preview', 'acme')] });
    const both = [created('env_preview', 'ada@q.example'), created('env_staging', 'other@q.example')];
    const seen = shown('acme', { linked: [one], created: both });
    expect(seen.description).toBe('Checks by this ID don’t use their plans in this environment.');
    expect(seen).toMatchObject({ isCreated: true, title: 'Stripe customer' });
    expect(seen.isSame(one)).toBe(false);
    expect(shown('acme', { linked: [one], created: both.slice(0, 1) })).toMatchObject({
      description: 'Checks by this ID don’t use their plans in this environment.',
      isCreated: false,
      isEmail: false,
    });
  });

  test('whose own ID is an email shares that email with those that have it', () => {
    const linked = [at('cus_1', { email: 'ada@q.example' })];
    const given = { linked, created: here };
    expect(said('ada@q.example', given)).toBe(
      'Checks by this email get this customer’s plans. Usage, grants and overrides stay with the email.',
    );
    expect(said('ada@q.example', { ...given, aliases: ['cus_1'] })).toBe(SHARED);
  });
});

test('live environments use no test-mode customers, whoever they are', () => {
  const text = 'Test mode only. Live environments don’t use test-mode customers.';
  const linked = [at('cus_1', { userId: 're2', email: 'ada@q.example' })];
  for (const name of ['re2', 'cus_1', 'ada@q.example'])
    expect(said(name, { linked, environment: live })).toBe(text);
  expect(said('re2', { linked, environment: live, created: [created('env_live', 'ada@q.example')] })).toBe(
    text,
  );
});

test('a user ID shares all with its one customer, and has the plans of several', () => {
  const one = at('cus_1', { userId: 'user_1' });
  expect(said('user_1', { linked: [one], owner: 'cus_1' })).toBe(SHARED);
  const two = shown('user_1', { linked: [one, at('cus_2', { userId: 'user_1' })] });
  expect(two.title).toBe('Stripe customers with this user ID');
  expect(two.description).toMatch(/^Checks by this user ID get the plans of all of them\./);
  expect(said('user_1', { linked: [one], owner: 'acme' })).toBe(
    'Checks by this user ID also get their plans. Usage, grants and overrides belong to acme.',
  );
});

test('an email has the plans of all that have it, and shares the rest with its owner', () => {
  const [one, two] = [at('cus_1', { email: 'ada@q.example' }), at('cus_2', { email: 'ada@q.example' })];
  const email = 'ada@q.example';
  expect(shown(email, { linked: [one, two] })).toMatchObject({
    title: 'Stripe customers with this email',
    isEmail: true,
  });
  expect(said(email, { linked: [one, two] })).toMatch(
    /plans of all of them\. .* until you link it to a customer\.$/,
  );
  expect(said(email, { linked: [one, two], owner: 'cus_1' })).toMatch(/belong to cus_1\.$/);
  expect(said(email, { linked: [one], owner: 'cus_1' })).toBe(
    'Checks by this email and by cus_1 share plans, usage, grants and overrides.',
  );
  // The Stripe customer is another created customer, or nobody.
  expect(said(email, { linked: [{ ...one, joins: [joined('env_staging', 's1')] }], owner: 'odd1' })).toBe(
    'Checks by this email get this customer’s plans. Usage, grants and overrides belong to odd1.',
  );
});

test('a Stripe customer shares with its other IDs, and only the email with those that have the same', () => {
  const one = at('cus_1', { email: 'ada@q.example' });
  const two = at('cus_2', { email: 'ada@q.example' });
  expect(said('cus_1', { linked: [one] })).toBe('As last read from Stripe.');
  expect(said('cus_1', { linked: [one], aliases: ['user_1'] })).toBe(SHARED);
  expect(said('cus_1', { linked: [one], owner: 'acme' })).toBe(SHARED);
  expect(said('cus_1', { linked: [one, two] })).toBe('Checks by the email get the plans of all of them.');
});

test('a joined customer replaces the one of its account and mode alone', () => {
  expect(isOfSameMode(at('cus_1'), at('cus_2'))).toBe(true);
  expect(isOfSameMode(at('cus_1'), at('cus_2', { testMode: false }))).toBe(false);
  expect(isOfSameMode(at('cus_1'), at('cus_2', { integrationId: 'int_2' }))).toBe(false);
});
