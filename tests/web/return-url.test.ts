// A return address leads back into the console and nowhere else.
import { describe, expect, test } from 'vitest';
import { safeReturnPath, signInPath } from '../../web/session/return-url.ts';

const origin = 'https://console.example';

describe('a path of the console is followed, with query and fragment', () => {
  test.each(['/', '/account', '/o/org_1/features?search=a#top', '/o/org_1/plans/a%2Fb'])('%s', (path) => {
    expect(safeReturnPath(path, origin)).toBe(path);
  });
});

describe('what may lead to another site is not', () => {
  test.each([
    null,
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
  ])('%j', (value) => {
    expect(safeReturnPath(value, origin)).toBeNull();
  });
});

test('the way to sign-in carries the path and its query', () => {
  const url = new URL(signInPath('/o/org_1/features?search=a b'), origin);
  expect(url.pathname).toBe('/signin');
  expect(url.searchParams.get('returnUrl')).toBe('/o/org_1/features?search=a b');
});
