// What a search shows while it runs: what the previous one found, but never that it found nothing.
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../web/api/query-client.ts';
import { customersQuery } from '../../web/domains/customers/queries.ts';
import { eventSearchQuery } from '../../web/domains/events/queries.ts';
import { stripeCustomersQuery, stripeProductsQuery } from '../../web/domains/integrations/stripe/queries.ts';
import { eventMetricsQuery } from '../../web/domains/metrics/queries.ts';
import { sudoOrganisationsQuery, sudoUsersQuery } from '../../web/domains/sudo/queries.ts';

const stored = (query: string) => ({ query, cursor: null, isUnderWay: false, syncedAt: 0 });
const events = (plan: string) =>
  eventSearchQuery('o', { key: { plan }, criteriaAt: () => ({ timeFrom: 0 }) });
const metrics = (environment: string) => eventMetricsQuery('o', { environment, range: '7d' });
const pages = (items: unknown[]) => ({ pages: [{ items }], pageParams: [null] });

const SEARCHES = [
  ['events', events, { events: [] }, { events: [{}] }],
  ['metrics', metrics, { totals: { total: 0 } }, { totals: { total: 1 } }],
  ['customers', (query: string) => customersQuery('o', query, undefined), pages([]), pages([{}])],
  [
    'Stripe customers',
    (query: string) => stripeCustomersQuery('o', 'i', stored(query)),
    { items: [] },
    { items: [{}] },
  ],
  [
    'Stripe products',
    (query: string) => stripeProductsQuery('o', 'i', stored(query)),
    { items: [] },
    { items: [{}] },
  ],
  ['organisations', sudoOrganisationsQuery, [], [{}]],
  ['users', sudoUsersQuery, [], [{}]],
] as const;

describe.each(SEARCHES)('a search of %s', (_name, query, nothing, something) => {
  beforeEach(() => {
    vi.stubGlobal('fetch', () => new Promise(() => {})); // No search is answered.
  });
  afterEach(() => vi.unstubAllGlobals());

  /** @param first the first search's answer @returns what is shown while the second runs */
  const shownAfter = (first: unknown) => {
    const client = createQueryClient();
    const options = (text: string) => {
      const { queryKey, placeholderData } = query(text);
      return { queryKey, placeholderData, queryFn: () => new Promise(() => {}) };
    };
    client.setQueryData<unknown>(query('a').queryKey, first);
    const observer = new QueryObserver(client, options('a') as never);
    const end = observer.subscribe(() => {});
    observer.setOptions(options('b') as never);
    const { data } = observer.getCurrentResult();
    end();
    client.clear();
    return data;
  };

  test('shows what the previous one found', () => {
    expect(shownAfter(something)).toEqual(something);
  });

  test('is loading if the previous one found nothing', () => {
    expect(shownAfter(nothing)).toBeUndefined();
  });
});
