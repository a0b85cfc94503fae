// Names for lists of identifiers: asked for together and once; without an answer, identifiers stay.
import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { customerEndpoints } from '#contracts/console/customers';
import { endpointKey } from '../../web/api/endpoint-query.ts';
import { loadCustomerNames } from '../../web/session/customer-names.ts';

const client = new QueryClient();
const known = () => client.getQueryData(endpointKey(customerEndpoints.listNames, { orgId: 'org_1' }));
const asked: string[][] = [];

function answerWith(names: Readonly<Record<string, string>>, status = 200) {
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(JSON.parse(new URL(url, 'http://localhost').searchParams.get('identifiers') ?? '[]'));
    return Response.json(status === 200 ? { names } : { errorType: 'server-error' }, { status });
  });
}

afterEach(() => {
  asked.length = 0;
  client.clear();
  vi.unstubAllGlobals();
});

test('what a list lacks is one call; what is known, nobody and repetitions are not asked for', async () => {
  answerWith({ ada: 'Ada Lovelace' });
  await loadCustomerNames(client, 'org_1', ['ada', null, 'grace', 'ada']);
  await loadCustomerNames(client, 'org_1', ['grace', 'ada']);
  expect(asked).toEqual([['ada', 'grace']]);
  expect(known()).toEqual(
    new Map([
      ['ada', 'Ada Lovelace'],
      ['grace', null],
    ]),
  );
});

test('more than fifty are asked for in parts', async () => {
  answerWith({});
  await loadCustomerNames(
    client,
    'org_1',
    Array.from({ length: 120 }, (_, index) => `u${index}`),
  );
  expect(asked.map(({ length }) => length)).toEqual([50, 50, 20]);
});

test('a failed look-up fails no list, and is made again later', async () => {
  answerWith({}, 500);
  await loadCustomerNames(client, 'org_1', ['ada']);
  expect(known()).toBeUndefined();
  answerWith({ ada: 'Ada Lovelace' });
  await loadCustomerNames(client, 'org_1', ['ada']);
  expect(known()).toEqual(new Map([['ada', 'Ada Lovelace']]));
});
