// Form validation, field errors, and the merge of concurrent edits.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { nameSchema } from '#contracts/public/text';
import { ApiError } from '../../web/api/api-error.ts';
import { checkForm, errorsOf } from '../../web/api/check-form.ts';
import { changedFields, isSame, mergeEdits } from '../../web/api/merge-edits.ts';
import { emailOfQuery, emailOfState } from '../../web/domains/auth/read-email.ts';
import { signInSchema, signUpSchema } from '../../web/domains/auth/schemas.ts';

test('an empty field is required, a malformed one is invalid, and a schema message is shown as it is', () => {
  expect(checkForm(signInSchema)({ email: '', password: '' })).toEqual({
    email: 'Required',
    password: 'Required',
  });
  expect(checkForm(signInSchema)({ email: 'nobody', password: 'x' })).toEqual({
    email: 'Enter an email like ada@example.com',
  });
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

test('server errors appear beside the fields that they name', () => {
  const issues = [
    { path: 'slug', message: 'Is in use' },
    { path: '', message: 'Whole' },
  ];
  expect(errorsOf(new ApiError({ errorType: 'conflict', message: 'No', issues }))).toEqual({
    slug: 'Is in use',
  });
  expect(errorsOf(new Error('other'))).toEqual({});
});

test('an email is read from router state or from base64, and from nothing else', () => {
  expect(emailOfState({ email: 'a@b.example' })).toBe('a@b.example');
  for (const state of [null, undefined, 'a@b.example', {}, { email: 7 }, { email: '' }]) {
    expect(emailOfState(state)).toBeNull();
  }
  expect(emailOfQuery(btoa('a@b.example'))).toBe('a@b.example');
  for (const text of [null, '%%%', '/w==']) expect(emailOfQuery(text)).toBeNull();
});

const base = { name: 'Exports', slug: 'exports', description: '' };

test('a field that only the other edit changed is adopted, and the input is kept', () => {
  const mine = { ...base, name: 'Exporting' };
  const theirs = { ...base, description: 'As files' };
  expect(mergeEdits(base, mine, theirs)).toEqual({
    values: { name: 'Exporting', slug: 'exports', description: 'As files' },
    conflicts: [],
    taken: ['description'],
  });
});

test('a field that both edits changed keeps the input and is reported as a conflict', () => {
  const merged = mergeEdits(base, { ...base, name: 'Mine' }, { ...base, name: 'Theirs' });
  expect(merged).toEqual({ values: { ...base, name: 'Mine' }, conflicts: ['name'], taken: [] });
});

test('equal changes are no conflict', () => {
  const same = { ...base, name: 'Same' };
  expect(mergeEdits(base, same, same)).toEqual({ values: same, conflicts: [], taken: [] });
});

test('only fields that differ count as changed, whatever the order of their entries', () => {
  const meter = { state: 'metered', meter: { limit: 1, periodType: 'lifetime' } };
  const turned = { meter: { periodType: 'lifetime', limit: 1, periodCount: undefined }, state: 'metered' };
  expect(isSame(meter, turned)).toBe(true);
  expect(changedFields({ a: meter, b: 1 }, { a: turned, b: 2 })).toEqual({ b: 2 });
  expect(isSame(['a'], { 0: 'a' })).toBe(false);
  expect(isSame(null, {})).toBe(false);
});
