// Choices in the URL, against the router itself.
import { createMemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { changeParams } from '../../web/ui/use-address-params.ts';

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
  expect(changeParams(router, '/docs', { situation: 'guest' }, true)).toBe(true);
  expect(changeParams(router, '/docs', { language: 'python', old: null }, true)).toBe(true);
  expect(router.state.location.search).toBe('?range=7d&situation=guest&language=python');
  expect(router.state.location.hash).toBe('#limits');
  expect(changeParams(router, '/docs', { range: '', situation: '', language: '' }, true)).toBe(true);
  expect(router.state.location.search).toBe('');
});

test('a page that is being left changes nothing, and the navigation goes on', async () => {
  const { router, finish } = routerAt('/docs');
  const leaving = router.navigate('/other?q=kept');
  expect(changeParams(router, '/docs', { q: 'late' }, true)).toBe(false);
  finish();
  await leaving;
  expect(changeParams(router, '/docs', { q: 'later' }, true)).toBe(false);
  expect(router.state.location).toMatchObject({ pathname: '/other', search: '?q=kept' });
});
