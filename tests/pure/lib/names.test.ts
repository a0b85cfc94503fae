// Which names are accepted, everywhere where something is named.
import { expect, test } from 'vitest';
import { keyNameSchema } from '#contracts/console/api-keys';
import { grantPlanSchema } from '#contracts/console/customers';
import { nameSchema, problemOfName, readForeignName } from '#contracts/public/text';
import { line } from '#runtime/log';

const FAMILY = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
const PERSIAN = '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645';
const WALES = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}';

test.each([FAMILY, PERSIAN, `${WALES} Wales`, 'Acme', 'A B', '\u05d0\u05d1\u05d2\u200f'])(
  'a name with joiners or in any script is accepted: %j',
  (name) => {
    expect(nameSchema.parse(name)).toBe(name);
    expect(problemOfName(name)).toBeNull();
    expect(keyNameSchema.parse(name)).toBe(name);
  },
);

test.each([
  '\u200b\u200b\u200b',
  '\u200d\u200c\u2060',
  '\u3164\u3164\u3164',
  'a\u200b\u200b',
  '\u2800\u2800\u2800',
])('a name of which fewer than three characters show is refused: %j', (name) => {
  const message = 'Must have at least 3 visible characters';
  expect(nameSchema.safeParse(name).error?.issues[0]?.message).toBe(message);
  expect(problemOfName(name)).toBe(message);
  expect(grantPlanSchema.shape.reason.safeParse(name).success).toBe(false);
});

test.each(['abc\u202edef', '\u2066abc\u2069', 'abc\u2028def', 'abc\u001b[31m'])(
  'a name that changes direction or lines around it is refused: %j',
  (name) => {
    expect(nameSchema.safeParse(name).success).toBe(false);
    expect(problemOfName(name)).not.toBeNull();
    expect(keyNameSchema.safeParse(name).success).toBe(false);
  },
);

test.each([
  ['Acme\nLtd', 'Acme Ltd'],
  ['\u202eAcme\u202c', 'Acme'],
  [` ${'a'.repeat(120)}`, 'a'.repeat(100)],
  [FAMILY, FAMILY],
  ['\u200b\u200b\u200b', undefined],
  ['\u3164\u3164\u3164\u3164', undefined],
  ['ab', undefined],
])('the name %j of an account elsewhere is taken as %j', (text, name) => {
  expect(readForeignName(text)).toBe(name);
});

test('a key without a name has none, and one that shows nothing is refused', () => {
  expect(keyNameSchema.parse(' ')).toBeNull();
  expect(keyNameSchema.safeParse('\u200b').success).toBe(false);
});

test('a log line has no character that a terminal acts on', () => {
  const odd = '\u001b[31m \u009b31m \u007f \u202e \u2066 \u200f \u2028';
  const text = line('warn', odd, { name: odd, error: new Error(odd) });
  expect(text).not.toMatch(/[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
  expect(JSON.parse(text)).toMatchObject({ message: odd, name: odd });
});
