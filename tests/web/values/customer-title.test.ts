// What a customer is called in lists, sheets and links: the first of their names that shows something.
import { expect, test } from 'vitest';
import { customerTitle } from '#web/values/customer-title.ts';

const ada = { identifier: 'cus_ada', name: 'Ada', email: 'ada@example.com' };

test('a customer is called by name, else by email, else by identifier', () => {
  expect(customerTitle(ada)).toBe('Ada');
  expect(customerTitle({ ...ada, name: null })).toBe('ada@example.com');
  expect(customerTitle({ ...ada, name: null, email: null })).toBe('cus_ada');
});

test.each(['', ' ', '\u200b', '\u3164\u2800', '\u202e\u202c', '\u0007'])(
  'a name or email that shows nothing titles nothing: %j',
  (blank) => {
    expect(customerTitle({ ...ada, name: blank })).toBe('ada@example.com');
    expect(customerTitle({ ...ada, name: null, email: blank })).toBe('cus_ada');
    expect(customerTitle({ ...ada, name: blank, email: blank })).toBe('cus_ada');
  },
);

test('an identifier that shows nothing is named by its code points', () => {
  expect(customerTitle({ identifier: '\u200b', name: '', email: null })).toBe('[U+200B]');
});
