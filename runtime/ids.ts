/** Ids: a prefix that names the kind, then 26 characters of Crockford base32 that sort by time (48 bits) and are random (80 bits). */
export type IdPrefix =
  | 'usr'
  | 'ses'
  | 'acc'
  | 'ver'
  | 'org'
  | 'mem'
  | 'inv'
  | 'feat'
  | 'prop'
  | 'plan'
  | 'wf'
  | 'test'
  | 'env'
  | 'art'
  | 'key'
  | 'jwt'
  | 'stripe'
  | 'sync'
  | 'grant'
  | 'ovr'
  | 'evt'
  | 'exe'
  | 'grp'
  | 'req'
  | 'out'
  | 'aud'
  | 'watch'
  | 'id';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * @param now epoch milliseconds
 * @param random ten bytes
 */
export function formatId(prefix: IdPrefix, now: number, random: Uint8Array): string {
  let time = '';
  let rest = now;
  for (let index = 0; index < 10; index++) {
    time = ALPHABET[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  let tail = '';
  let buffer = 0;
  let bits = 0;
  for (const octet of random) {
    buffer = (buffer << 8) | octet;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      tail += ALPHABET[(buffer >> bits) & 31];
    }
    buffer &= (1 << bits) - 1;
  }
  return `${prefix}_${time}${tail}`;
}

const FORM = /^([a-z]+)_[0-9a-hjkmnp-tv-z]{26}$/;

/** Whether the text has the form of such an id: what has not can be refused without a query. */
export function isIdOf(prefix: IdPrefix, text: string): boolean {
  return FORM.exec(text)?.[1] === prefix;
}

/** When an id was made, epoch milliseconds; null if the text is no id. */
export function timeOf(id: string): number | null {
  const [, digits] = /^[a-z]+_([0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]{16}/.exec(id) ?? [];
  if (digits === undefined) return null;
  let time = 0;
  for (const digit of digits) time = time * 32 + ALPHABET.indexOf(digit);
  return time;
}

/** Sorts before every id made at or after this instant. */
export function firstIdAt(prefix: IdPrefix, now: number): string {
  return formatId(prefix, now, new Uint8Array(10));
}

const POOL_SIZE = 10 * 64;
let pool: Uint8Array<ArrayBuffer> | undefined;
let poolPosition = POOL_SIZE;

/** A new id; random bytes are drawn from the system 64 ids at a time. */
export function newId(prefix: IdPrefix, now: number): string {
  pool ??= new Uint8Array(POOL_SIZE);
  if (poolPosition >= POOL_SIZE) {
    crypto.getRandomValues(pool);
    poolPosition = 0;
  }
  const random = pool.subarray(poolPosition, poolPosition + 10);
  poolPosition += 10;
  return formatId(prefix, now, random);
}
