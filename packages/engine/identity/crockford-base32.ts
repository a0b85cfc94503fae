/**
 * Crockford's base 32 in lower case, without its leniency: `o` is not read as zero and upper case is refused,
 * so that every value has exactly one spelling.
 */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Marks a character code that is not a digit. */
export const NOT_A_DIGIT = 255;

const DIGITS = new Uint8Array(128).fill(NOT_A_DIGIT);
for (let digit = 0; digit < ALPHABET.length; digit++) DIGITS[ALPHABET.charCodeAt(digit)] = digit;

/** The text of `bytes`, five bits a character, the last one padded with zero bits. */
export function encodeBase32(bytes: Uint8Array): string {
  let text = '';
  // Written bits overflow at the top; only the lowest twelve are ever read.
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((buffer >>> bits) & 31);
    }
  }
  return bits === 0 ? text : text + ALPHABET.charAt((buffer << (5 - bits)) & 31);
}

/** An unsigned 32-bit number in seven characters, most significant first. */
export function encodeUint32(value: number): string {
  let text = '';
  for (let shift = 30; shift >= 0; shift -= 5) text += ALPHABET.charAt((value >>> shift) & 31);
  return text;
}

/** Whether text[from, to) consists of digits only. */
export function isBase32(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    if ((DIGITS[text.charCodeAt(at)] ?? NOT_A_DIGIT) === NOT_A_DIGIT) return false;
  }
  return true;
}
