/**
 * How an identifier is read. A customer is named by a Stripe customer id, an email, or any other string: in `userIdentifier`, in a
 * token's claim, in Stripe, and in the console. All spellings of a customer's identifier have one canonical text. Ids of
 * resources and idempotency keys are opaque: they are compared as sent, outer white space included.
 *
 * Refusals are tested on the text as sent, before anything is normalised. See worker/domains/identity/README.md, "Identity".
 */
export const MAX_IDENTIFIER = 200;

export type IdentifierKind = 'stripe-customer' | 'email' | 'other';
export type ReadIdentifier =
  | { ok: true; kind: IdentifierKind; canonical: string }
  | { ok: false; reason: IdentifierProblem };

export const IDENTIFIER_PROBLEMS = {
  empty: 'Must not be empty',
  'too-long': `Must be at most ${MAX_IDENTIFIER} characters`,
  'not-unicode': 'Contains invalid Unicode',
  'control-character': 'Must not contain control characters',
  invisible: 'Must contain a visible character',
  'outer-space': 'Must not begin or end with white space',
  'becomes-ascii': 'Contains a character that normalises to ASCII, such as the Kelvin sign',
} as const;
export type IdentifierProblem = keyof typeof IDENTIFIER_PROBLEMS;

/** Printable ASCII without outer spaces, as nearly all identifiers are: none of the rules about other characters can apply. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;
const CONTROL_CHARACTER = /\p{Cc}/u;
/** White space, and what is copied along as invisibly: zero-width spaces, direction marks and soft hyphens. No joiners. */
const OUTER_SPACE = /^[\s\p{Bidi_C}\xad\u200b\u2060]|[\s\p{Bidi_C}\xad\u200b\u2060]$/u;
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u;
const STRIPE_CUSTOMER = /^cus_[A-Za-z0-9]+$/;
const ASCII = /[\0-\x7f]/;

/** Reads a customer's identifier: 1 to 200 UTF-16 units. */
export function readIdentifier(text: string): ReadIdentifier {
  if (text.length > MAX_IDENTIFIER || !PLAIN.test(text)) return readUnusual(text);
  if (STRIPE_CUSTOMER.test(text)) return { ok: true, kind: 'stripe-customer', canonical: text };
  return isEmail(text)
    ? { ok: true, kind: 'email', canonical: text.toLowerCase() }
    : { ok: true, kind: 'other', canonical: text };
}

function readUnusual(text: string): ReadIdentifier {
  const problem = problemOfOpaque(text);
  if (problem !== null) return { ok: false, reason: problem };
  if (OUTER_SPACE.test(text)) return { ok: false, reason: 'outer-space' };
  const kind = isEmail(text) ? 'email' : 'other';
  const normalise = kind === 'email' ? lowerCased : composed;
  if (becomesAscii(text, normalise)) return { ok: false, reason: 'becomes-ascii' };
  const canonical = normalise(text);
  // Some characters take more units when normalised.
  if (canonical.length > MAX_IDENTIFIER) return { ok: false, reason: 'too-long' };
  return { ok: true, kind, canonical };
}

const USER_ID = /^[!-~](?:[ -~]*[!-~])?$/;

/**
 * Whether text can be an application's own user id, an alias of a customer: printable ASCII, and neither an email nor what looks like
 * a Stripe customer id, which name customers themselves. worker/domains/customer-facts/customer-names.ts says the same in SQL.
 */
export function isUserId(text: string): boolean {
  return (
    text.length <= MAX_IDENTIFIER && USER_ID.test(text) && !text.startsWith('cus_') && !/@.*\./u.test(text)
  );
}

/** For names that others have chosen. @returns canonical; the text itself if it cannot name a customer */
export function canonicalOf(text: string): string {
  const read = readIdentifier(text);
  return read.ok ? read.canonical : text;
}

/**
 * The customer that a look-up in the console names. What was stored under a name that calls cannot send is found by that name.
 * @returns canonical, or the stored name; null if there can be no such customer
 */
export function readStoredIdentifier(text: string): string | null {
  const read = readIdentifier(text);
  if (read.ok) return read.canonical;
  const isStorable =
    text !== '' && text.length <= MAX_IDENTIFIER && text.isWellFormed() && !CONTROL_CHARACTER.test(text);
  return isStorable ? text : null;
}

/**
 * Why text is no id of a resource and no idempotency key; null if it is one. Lone surrogates all encode to the same bytes, so
 * different texts would be equal.
 */
export function problemOfOpaque(text: string): IdentifierProblem | null {
  if (text.length === 0) return 'empty';
  if (text.length > MAX_IDENTIFIER) return 'too-long';
  if (PLAIN.test(text)) return null;
  if (!text.isWellFormed()) return 'not-unicode';
  if (CONTROL_CHARACTER.test(text)) return 'control-character';
  return VISIBLE.test(text) ? null : 'invisible';
}

/** One `@` with something before it and a domain with a dot inside after it, no white space anywhere. */
function isEmail(text: string): boolean {
  const at = text.indexOf('@');
  if (at < 1 || text.indexOf('@', at + 1) !== -1 || /\s/u.test(text)) return false;
  const dot = text.indexOf('.', at);
  return dot > at + 1 && !text.endsWith('.');
}

function composed(text: string): string {
  return text.normalize('NFC');
}

function lowerCased(text: string): string {
  return composed(composed(text).toLowerCase());
}

/** Whether two different texts could be normalised to one ASCII text: the Kelvin sign is `k` in lower case. */
function becomesAscii(text: string, normalise: (text: string) => string): boolean {
  for (const character of text) {
    if (!ASCII.test(character) && ASCII.test(normalise(character))) return true;
  }
  return false;
}
