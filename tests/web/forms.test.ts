// Form validation, field errors, and the merge of concurrent edits.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { authCalls, EMAIL_PATTERN } from '#contracts/console/auth';
import { nameSchema, problemOfName } from '#contracts/public/text';
import { propertyKeyFrom, slugFrom } from '#engine/slugs/slug';
import { ApiError } from '../../web/api/api-error.ts';
import { checkForm, errorsOf } from '../../web/api/check-form.ts';
import { changedFields, isSame, mergeEdits, resumeEdit } from '../../web/api/merge-edits.ts';
import {
  checkForgottenPassword,
  checkNewPassword,
  checkSignIn,
  checkSignUp,
} from '../../web/domains/auth/check-fields.ts';
import { emailOfQuery, emailOfState } from '../../web/domains/auth/read-email.ts';
import { showFormError } from '../../web/forms/show-form-error.ts';
import { toast } from '../../web/toast.ts';
import { followName } from '../../web/ui/inputs/follow-name.ts';

const anyone = z.object({ email: z.email(), name: nameSchema });

test('an empty field is required, a malformed one is invalid, and a schema message is shown as it is', () => {
  expect(checkForm(anyone)({ email: '', name: '' })).toEqual({ email: 'Required', name: 'Required' });
  expect(checkForm(anyone)({ email: 'nobody', name: 'ab' })).toEqual({
    email: 'Invalid input',
    name: 'Must be at least 3 characters',
  });
});

describe('the forms before sign-in, which are checked without zod', () => {
  test('name empty and malformed fields', () => {
    expect(checkSignIn({ email: '', password: '' })).toEqual({ email: 'Required', password: 'Required' });
    expect(checkSignIn({ email: 'nobody', password: 'x' })).toEqual({
      email: 'Enter an email like ada@example.com',
    });
    expect(checkSignUp({ email: 'a@b.example', name: '', password: '' })).toEqual({
      name: 'Required',
      password: 'Required',
    });
    expect(checkForgottenPassword({ email: '' })).toEqual({ email: 'Required' });
    expect(checkNewPassword({ newPassword: '' })).toEqual({ newPassword: 'Required' });
  });

  test('a new password has 8 to 128 characters', () => {
    expect(checkNewPassword({ newPassword: '1234567' })).toEqual({ newPassword: 'Minimum 8 characters.' });
    expect(checkNewPassword({ newPassword: '12345678' })).toEqual({});
    expect(checkNewPassword({ newPassword: 'x'.repeat(128) })).toEqual({});
    expect(checkNewPassword({ newPassword: 'x'.repeat(129) })).toEqual({
      newPassword: 'Must be at most 128 characters',
    });
  });

  test('accept what the server accepts', () => {
    const signUp = authCalls.find(({ path }) => path === '/sign-up/email')?.body;
    const emails = [
      'a@b.example',
      "o'hara+x@a-b.example",
      'a@b',
      'a b@c.example',
      '.a@b.example',
      'a..b@c.example',
    ];
    const names = [
      'Ada',
      '  Ada  ',
      'ab',
      '  ab  ',
      'x'.repeat(100),
      'x'.repeat(101),
      'A\u0000da',
      '\ud800da',
      'Zoë 🦊',
    ];
    for (const email of emails) {
      for (const name of names) {
        const values = { email, name, password: '12345678' };
        expect([values, Object.keys(checkSignUp(values)).sort()]).toEqual([
          values,
          Object.keys(signUp ? checkForm(signUp)(values) : {}).sort(),
        ]);
      }
    }
    for (const email of emails) expect(EMAIL_PATTERN.test(email)).toBe(z.email().safeParse(email).success);
    for (const name of names) {
      expect(problemOfName(name)).toBe(nameSchema.safeParse(name).error?.issues[0]?.message ?? null);
    }
  });
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

test('an interrupted edit is merged with what others changed since', () => {
  const edit = { base, values: { ...base, name: 'Mine', slug: 'mine' } };
  expect(resumeEdit(edit, base)).toEqual({ values: edit.values, conflicts: [], taken: [] });
  expect(resumeEdit(edit, { name: 'Theirs', slug: 'exports', description: 'As files' })).toEqual({
    values: { name: 'Mine', slug: 'mine', description: 'As files' },
    conflicts: ['name'],
    taken: ['description'],
  });
  // A field that was not kept, such as a secret.
  const current = { ...base, secret: 'now' };
  expect(resumeEdit<typeof current>(edit, current).values).toEqual({ ...edit.values, secret: 'now' });
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

describe('the slug of a new item', () => {
  test.each([slugFrom, propertyKeyFrom])(
    'follows the name while it is the one that the name makes',
    (make) => {
      const typed = ['D', 'Data', 'Data e', 'Data exports', '', 'Café'];
      let item = { name: '', slug: '' };
      for (const name of typed) {
        item = { name, slug: followName(item, name, make) };
        expect(item.slug).toBe(make(name));
      }
    },
  );

  test('stays as it was edited, also in a form that was just restored', () => {
    expect(followName({ name: 'Data exports', slug: 'exports' }, 'Data exports 2', slugFrom)).toBe('exports');
    expect(followName({ name: 'Data exports', slug: '' }, 'Data exports 2', slugFrom)).toBe('');
    expect(followName({ name: '', slug: 'exports' }, 'Data', slugFrom)).toBe('exports');
  });
});

describe('an error of a form is shown once', () => {
  const shown = vi.spyOn(toast, 'error').mockImplementation(() => {});
  afterEach(() => shown.mockClear());

  const problem = (path: string) =>
    new ApiError({
      errorType: 'invalid-request',
      message: `${path}: Refused`,
      issues: [{ path, message: 'Refused' }],
    });
  const show = (error: Error, fields?: readonly string[]) => {
    const setErrors = vi.fn();
    showFormError({ setErrors }, error, fields && { fields });
    return { errors: setErrors.mock.lastCall?.[0], toasts: shown.mock.calls.length };
  };

  test('beside the field that it names', () => {
    expect(show(problem('by'))).toEqual({ errors: { by: 'Refused' }, toasts: 0 });
    expect(show(problem('by'), ['by', 'reason'])).toEqual({ errors: { by: 'Refused' }, toasts: 0 });
  });

  test('in a toast if it names none, or none that the form has', () => {
    expect(show(new ApiError({ errorType: 'server-error', message: '' }))).toEqual({ errors: {}, toasts: 1 });
    expect(show(problem('propertyId'), ['by', 'reason'])).toMatchObject({ toasts: 2 });
  });
});
