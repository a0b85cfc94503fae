/**
 * CRC-32 (IEEE 802.3, reflected) of ASCII text. It detects every error within 32 consecutive bits, so every single
 * mistyped character. It is not a protection against forgery.
 */
const TABLE = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? 0xedb88320 : 0);
  TABLE[byte] = remainder;
}

/** The checksum of the first `length` characters, unsigned. Characters beyond ASCII are not supported. */
export function crc32(text: string, length: number = text.length): number {
  let crc = 0xffffffff;
  for (let at = 0; at < length; at++) {
    crc = (crc >>> 8) ^ (TABLE[(crc ^ text.charCodeAt(at)) & 255] ?? 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
