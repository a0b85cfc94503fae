// What the forms say of what was entered, and what they are opened with.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { nameSchema } from '#contracts/text';
import { ApiError } from '../../web/api/api-error.ts';
import { checkForm, errorsOf } from '../../web/api/check-form.ts';
import { emailOfQuery, emailOfState } from '../../web/features/auth/read-email.ts';
import { signInSchema, signUpSchema } from '../../web/features/auth/schemas.ts';

test('an empty field is required, a malformed one invalid, and a rule with words of its own speaks for itself', () => {
  expect(checkForm(signInSchema)({ email: '', password: '' })).toEqual({
    email: 'Required',
    password: 'Required',
  });
  expect(checkForm(signInSchema)({ email: 'nobody', password: 'x' })).toEqual({ email: 'Invalid input' });
  expect(checkForm(z.object({ name: nameSchema }))({ name: 'ab' })).toEqual({
    name: 'Must be at least 3 characters',
  });
});

test('a password has at least 8 characters', () => {
  const entered = { email: 'a@b.example', name: 'Ada Lovelace' };
  expect(checkForm(signUpSchema)({ ...entered, password: '1234567' })).toEqual({
    password: 'Minimum 8 characters.',
  });
  expect(checkForm(signUpSchema)({ ...entered, password: '12345678' })).toEqual({});
});

test('fields that the server refused are shown beside them', () => {
  const issues = [
    { path: 'slug', message: 'Is in use' },
    { path: '', message: 'Whole' },
  ];
  expect(errorsOf(new ApiError({ errorType: 'conflict', message: 'No', issues }))).toEqual({
    slug: 'Is in use',
  });
  expect(errorsOf(new Error('other'))).toEqual({});
});

test('an address is taken from the page before or from base64, and from nothing else', () => {
  expect(emailOfState({ email: 'a@b.example' })).toBe('a@b.example');
  for (const state of [null, undefined, 'a@b.example', {}, { email: 7 }, { email: '' }]) {
    expect(emailOfState(state)).toBeNull();
  }
  expect(emailOfQuery(btoa('a@b.example'))).toBe('a@b.example');
  for (const text of [null, '%%%', '/w==']) expect(emailOfQuery(text)).toBeNull();
});
