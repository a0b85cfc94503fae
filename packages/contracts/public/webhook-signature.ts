/** Signatures of webhooks by Standard Webhooks 1.0: HMAC-SHA256 of `<id>.<timestamp>.<body>` with a secret `whsec_…`. */

/** Names of headers. The signature is `v1,` and base64 of the HMAC-SHA256 of `<id>.<timestamp>.<body>`; during a rotation there are two. */
export const WEBHOOK_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

export interface SignedContent {
  readonly id: string;
  /** Epoch seconds. */
  readonly timestamp: number;
  readonly body: string;
}

const PREFIX = 'whsec_';
const utf8 = new TextEncoder();

/** @param bytes 24 to 64 random ones */
export function webhookSecretOf(bytes: Uint8Array): string {
  return PREFIX + toBase64(bytes);
}

/** @returns the value of the header `webhook-signature`: one signature for each secret */
export async function signWebhook(secrets: readonly string[], content: SignedContent): Promise<string> {
  const signatures = await Promise.all(
    secrets.map(async (secret) => {
      const key = await importSecret(secret);
      return `v1,${toBase64(new Uint8Array(await crypto.subtle.sign('HMAC', key, signedBytes(content))))}`;
    }),
  );
  return signatures.join(' ');
}

/** Whether one of the header's signatures is made with one of the secrets. Compares in constant time. */
export async function isSignedWebhook(
  secrets: readonly string[],
  content: SignedContent,
  header: string,
): Promise<boolean> {
  const given = header
    .split(' ')
    .flatMap((part) => (part.startsWith('v1,') ? [fromBase64(part.slice(3))] : []));
  let isSigned = false;
  // Anybody could sign with an empty one.
  for (const secret of secrets.filter((each) => keyOf(each).length > 0)) {
    const key = await importSecret(secret);
    for (const signature of given) {
      if (await crypto.subtle.verify('HMAC', key, signature, signedBytes(content))) isSigned = true;
    }
  }
  return isSigned;
}

const signedBytes = ({ id, timestamp, body }: SignedContent) => utf8.encode(`${id}.${timestamp}.${body}`);

const keyOf = (secret: string) =>
  fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);

function importSecret(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', keyOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** What is no base64 is empty: no signature is made of it. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}
