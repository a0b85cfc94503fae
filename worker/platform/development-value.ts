/** Recognises the values of dev/development.vars. They are public, so nothing may be encrypted or signed with them in production. */

/** Part of each of those secrets; of an encryption key, part of its bytes. */
const MARK = 'development-only';

/** Whether a setting is such a value: as text, or as the text that its base64, base64url or hexadecimal digits encode. */
export function isDevelopmentValue(value: string): boolean {
  const digits = value.replaceAll(/\s/g, '');
  const readings = [
    () => new TextEncoder().encode(value),
    () => Uint8Array.fromBase64(digits),
    () => Uint8Array.fromBase64(digits, { alphabet: 'base64url' }),
    () => Uint8Array.fromHex(digits),
  ];
  return readings.some((read) => {
    try {
      return hasDevelopmentMark(read());
    } catch {
      return false;
    }
  });
}

export function hasDevelopmentMark(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes).toLowerCase().includes(MARK);
}
