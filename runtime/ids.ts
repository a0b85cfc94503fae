/**
 * Ids: a prefix that names the kind, then 26 characters of Crockford base32: 48 bits of time, 16 that count, and 64 random ones. Those that one
 * isolate makes in a millisecond sort in their order, unless the count begins again.
 */
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
  | 'hold'
  | 'jwt'
  | 'stripe'
  | 'sync'
  | 'bal'
  | 'bal_m'
  | 'topup'
  | 'grant'
  | 'ovr'
  | 'evt'
  | 'exe'
  | 'grp'
  | 'req'
  | 'out'
  | 'aud'
  | 'watch'
  | 'hook'
  | 'id';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** By ten bits. */
const PAIRS: readonly string[] = Array.from(
  { length: 1024 },
  (_, bits) => `${ALPHABET[bits >> 5]}${ALPHABET[bits & 31]}`,
);

/**
 * @param now epoch milliseconds
 * @param random ten bytes
 */
export function formatId(prefix: IdPrefix, now: number, random: Uint8Array): string {
  return idOf(prefix, now, random, 0);
}

/** @param at where its ten bytes begin */
function idOf(prefix: IdPrefix, now: number, bytes: Uint8Array, at: number): string {
  return `${prefix}_${timeText(now)}${fiveBytes(bytes, at)}${fiveBytes(bytes, at + 5)}`;
}

let lastTime = Number.NaN;
let lastText = '';

/** Many ids are made in one millisecond. */
function timeText(now: number): string {
  if (now === lastTime) return lastText;
  let text = '';
  let rest = now;
  for (let index = 0; index < 5; index++) {
    text = PAIRS[rest % 1024] + text;
    rest = Math.floor(rest / 1024);
  }
  lastTime = now;
  lastText = text;
  return text;
}

function fiveBytes(bytes: Uint8Array, at: number): string {
  const byte = (index: number) => bytes[at + index] as number;
  const [b, c, d] = [byte(1), byte(2), byte(3)];
  const first = `${PAIRS[(byte(0) << 2) | (b >> 6)]}${PAIRS[((b & 63) << 4) | (c >> 4)]}`;
  return `${first}${PAIRS[((c & 15) << 6) | (d >> 2)]}${PAIRS[((d & 3) << 8) | byte(4)]}`;
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

/** Bytes of one id. */
const SIZE = 10;
const pool = new Uint8Array(64 * SIZE);
let poolPosition = pool.length;
let count = 0;

/** A new id; random bytes are drawn from the system 64 ids at a time. */
export function newId(prefix: IdPrefix, now: number): string {
  if (poolPosition >= pool.length) {
    crypto.getRandomValues(pool);
    poolPosition = 0;
  }
  const at = poolPosition;
  poolPosition += SIZE;
  count = (count + 1) & 0xffff;
  pool[at] = count >> 8;
  pool[at + 1] = count & 0xff;
  return idOf(prefix, now, pool, at);
}
