// Which error of the account page belongs to the password's field.
import { expect, test } from 'vitest';
import { AuthCallError } from '../../web/api/auth-call.ts';
import { wrongPassword } from '../../web/domains/account/wrong-password.ts';

test('only a wrong password is shown at its field', () => {
  expect(wrongPassword(new AuthCallError(400, 'Invalid password', 'INVALID_PASSWORD'))).toBe(
    'Invalid password',
  );
  expect(wrongPassword(new AuthCallError(404, 'Invalid token', 'INVALID_TOKEN'))).toBeNull();
  expect(wrongPassword(new AuthCallError(429, 'Too many attempts. Please try again later.'))).toBeNull();
  expect(wrongPassword(new Error('Network error'))).toBeNull();
  expect(wrongPassword(null)).toBeNull();
});
