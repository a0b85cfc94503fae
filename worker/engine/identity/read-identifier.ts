/**
 * Parses a `userIdentifier`: a Stripe customer id, an email address, or any other string with which the organisation
 * identifies its users. Different spellings of an identifier have the same canonical text.
 */
export const MAX_IDENTIFIER_LENGTH = 200;

export type IdentifierKind = 'stripe-customer' | 'email' | 'other';

export type ReadIdentifier =
  | { ok: true; kind: IdentifierKind; canonical: string }
  | { ok: false; reason: 'empty' | 'too-long' | 'control-character' | 'not-unicode' };

const CONTROL_CHARACTER = /\p{Cc}/u;
const STRIPE_CUSTOMER = /^cus_[A-Za-z0-9]+$/;

/**
 * Accepts 1 to 200 UTF-16 units. Control characters are refused, and so are lone surrogates: they all encode to the same
 * bytes, so two identifiers would share one ledger.
 */
export function readIdentifier(text: string): ReadIdentifier {
  if (text.length === 0) return { ok: false, reason: 'empty' };
  if (text.length > MAX_IDENTIFIER_LENGTH) return { ok: false, reason: 'too-long' };
  if (!text.isWellFormed()) return { ok: false, reason: 'not-unicode' };
  if (CONTROL_CHARACTER.test(text)) return { ok: false, reason: 'control-character' };
  if (STRIPE_CUSTOMER.test(text)) return { ok: true, kind: 'stripe-customer', canonical: text };
  if (!isEmail(text)) return { ok: true, kind: 'other', canonical: text };
  const canonical = text.toLowerCase();
  // A few capitals (İ) are longer in lower case.
  if (canonical.length > MAX_IDENTIFIER_LENGTH) return { ok: false, reason: 'too-long' };
  return { ok: true, kind: 'email', canonical };
}

/** One `@` with something before it and a domain with a dot inside after it, no white space anywhere. */
function isEmail(text: string): boolean {
  const at = text.indexOf('@');
  if (at < 1 || text.indexOf('@', at + 1) !== -1 || /\s/u.test(text)) return false;
  const dot = text.indexOf('.', at);
  return dot > at + 1 && !text.endsWith('.');
}
