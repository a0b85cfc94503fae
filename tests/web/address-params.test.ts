// Choices in the URL, against the router itself.
import { createMemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { readEventSearch, searchChanges } from '../../web/domains/events/event-search.ts';
import { changeParams } from '../../web/ui/page/use-address-params.ts';

const page = () => null;

function routerAt(url: string) {
  const slow = Promise.withResolvers<null>();
  const router = createMemoryRouter(
    [
      { path: '/docs', Component: page },
      { path: '/other', Component: page, loader: () => slow.promise },
    ],
    { initialEntries: [url] },
  );
  return { router, finish: () => slow.resolve(null) };
}

test('two changes in a row both count, and other parameters stay', () => {
  const { router } = routerAt('/docs?range=7d&old=1#limits');
  expect(changeParams(router, '/docs', { situation: 'guest' }, { replace: true })).toBe(true);
  expect(changeParams(router, '/docs', { language: 'python', old: null }, { replace: true })).toBe(true);
  expect(router.state.location.search).toBe('?range=7d&situation=guest&language=python');
  expect(router.state.location.hash).toBe('#limits');
  expect(changeParams(router, '/docs', { range: '', situation: '', language: '' })).toBe(true);
  expect(router.state.location.search).toBe('');
});

test('an encoded path stays as it is, and the state of the history entry follows the router', () => {
  const path = '/docs/a%2Fb%40example.com%25';
  const router = createMemoryRouter([{ path: '/docs/*', Component: page }], { initialEntries: [path] });
  const { pathname } = router.state.location;
  expect(changeParams(router, pathname, { before: '9' }, { state: () => ({ newer: [''] }) })).toBe(true);
  expect(changeParams(router, pathname, { event: 'evt_1' }, { state: (current) => current })).toBe(true);
  expect(router.state.location).toMatchObject({ pathname: path, search: '?before=9&event=evt_1' });
  expect(router.state.location.state).toEqual({ newer: [''] });
  changeParams(router, pathname, { event: null, before: null });
  expect(router.state.location).toMatchObject({ pathname: path, search: '', state: null });
});

test('a changed search of events starts at its first page, and a fixed period and a range exclude each other', () => {
  const { router } = routerAt('/docs?range=7d&before=5&event=evt_1&tab=request');
  const change = (changes: Parameters<typeof searchChanges>[0]) => {
    changeParams(router, '/docs', searchChanges(changes));
    return router.state.location.search;
  };
  expect(change({ plan: 'pro' })).toBe('?range=7d&plan=pro');
  expect(change({ outcome: 'denied' })).toBe('?range=7d&plan=pro&outcome=denied');
  expect(change({ period: { from: 1, to: 2 } })).toBe('?plan=pro&outcome=denied&from=1&to=2');
  expect(change({ plan: undefined, q: 'ada' })).toBe('?outcome=denied&from=1&to=2&q=ada');
  expect(change({ period: undefined, range: '30d' })).toBe('?outcome=denied&q=ada&range=30d');
  expect(change({ period: undefined, range: readEventSearch(new URLSearchParams()).range, q: '' })).toBe(
    '?outcome=denied',
  );
});

test('a page that is being left changes nothing, and the navigation goes on', async () => {
  const { router, finish } = routerAt('/docs');
  const leaving = router.navigate('/other?q=kept');
  expect(changeParams(router, '/docs', { q: 'late' })).toBe(false);
  finish();
  await leaving;
  expect(changeParams(router, '/docs', { q: 'later' })).toBe(false);
  expect(router.state.location).toMatchObject({ pathname: '/other', search: '?q=kept' });
});
