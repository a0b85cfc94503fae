// Whose a name is, is said in one place: packages/engine/identity/owner-of-name.ts, with its SQL in one file.
import { describe, expect, test } from 'vitest';
import { listFiles, readSource } from './source-tree.ts';

const SQL_OF_NAMES = 'worker/domains/customer-facts/customer-names.ts';
/** SQL that ranks or selects the customers of an email, or asks whether user ids are in effect. */
const PRECEDENCE =
  /email_role\}? IN \(|email_role\}? (?:=|<>) '(?:owner|linked)|emailRole, '(?:owner|linked)|CASE [^`]*\bemail_role\b[^`]* WHEN|ORDER BY[^`]*\bemail_role|user_ids_ready\) THEN/s;

describe('the checker', () => {
  test.each([
    "AND o.email_role IN ('owner', 'linked')",
    "AND o.email_role = 'owner'",
    "eq(stripeCustomer.emailRole, 'linked')",
    "CASE s.email_role WHEN 'linked' THEN 0 END",
    'ORDER BY o.email_role, o.email_role_at',
  ])('finds %s', (line) => expect(line).toMatch(PRECEDENCE));

  test('passes the writing of a role', () =>
    expect("CASE WHEN x THEN 'undecided' ELSE stripe_customer.email_role END").not.toMatch(PRECEDENCE));
});

test('no other file has SQL of precedence among names', () => {
  const wrong = listFiles(['worker', 'durable-objects', 'runtime'])
    .filter((path) => path !== SQL_OF_NAMES)
    .filter((path) => PRECEDENCE.test(readSource(path)));
  expect(wrong).toEqual([]);
  expect(readSource(SQL_OF_NAMES)).toMatch(PRECEDENCE);
});
