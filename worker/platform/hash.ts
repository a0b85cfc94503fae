/** SHA-256, as hexadecimal text. */
const encoder = new TextEncoder();

export async function sha256Hex(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest(
    'SHA-256',
    typeof data === 'string' ? encoder.encode(data) : data,
  );
  return toHex(new Uint8Array(digest));
}

const HEX = Array.from({ length: 256 }, (_, octet) => octet.toString(16).padStart(2, '0'));

function toHex(octets: Uint8Array): string {
  let text = '';
  for (const octet of octets) text += HEX[octet];
  return text;
}
