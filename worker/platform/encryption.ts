/**
 * Encrypts secrets at rest: AES-256-GCM with a fresh 96-bit IV, bound to its row (organisation, kind, id), so
 * that a row copied elsewhere does not decrypt. The stored text names the key it was made with, for rotation.
 */
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export interface Encryption {
  /** ID of the key that encrypts. */
  readonly currentKeyId: string;
  /** Whether there are keys that only decrypt. */
  readonly hasFormerKeys: boolean;
  /** @returns `keyId.iv.ciphertext`, base64url */
  encrypt(text: string, context: readonly string[]): Promise<string>;
  /** @throws {DecryptionError} where the key is not known, or text or context were altered */
  decrypt(sealed: string, context: readonly string[]): Promise<string>;
}

export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';
}

/** Keys by id, 32 bytes each; the first one encrypts. */
export type Keyring = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/**
 * @param text `keyId:base64` of 32 bytes each, separated by commas
 * @throws {TypeError} which quotes no key
 */
export function parseKeyring(text: string): Keyring {
  const keys = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const entry of text.split(',')) {
    const [keyId = '', encoded = '', rest] = entry.trim().split(':');
    if (!/^[\w-]{1,64}$/.test(keyId) || encoded === '' || rest !== undefined) {
      throw new TypeError('must be keyId:base64, several of them separated by commas');
    }
    const bytes = fromBase64(encoded);
    if (bytes?.byteLength !== 32) throw new TypeError(`key ${keyId} must be 32 bytes in base64`);
    if (keys.has(keyId)) throw new TypeError(`has two keys with the ID ${keyId}`);
    keys.set(keyId, bytes);
  }
  return keys;
}

export function openEncryption(keys: Keyring): Encryption {
  const [currentId = ''] = keys.keys();
  return {
    currentKeyId: currentId,
    hasFormerKeys: keys.size > 1,
    async encrypt(text, context) {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const sealed = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv, additionalData: bindTo(context) },
        await keyOf(keys, currentId),
        encoder.encode(text),
      );
      return [currentId, base64Url(iv), base64Url(new Uint8Array(sealed))].join('.');
    },
    async decrypt(sealed, context) {
      const [keyId = '', iv = '', ciphertext = ''] = sealed.split('.');
      const key = await keyOf(keys, keyId);
      try {
        const text = await crypto.subtle.decrypt(
          { name: 'AES-GCM', iv: fromBase64Url(iv), additionalData: bindTo(context) },
          key,
          fromBase64Url(ciphertext),
        );
        return decoder.decode(text);
      } catch {
        throw new DecryptionError('The stored secret could not be decrypted');
      }
    },
  };
}

/** Imported for each use: a promise kept in the settings would belong to the request that read them. */
async function keyOf(keys: Keyring, keyId: string): Promise<CryptoKey> {
  const bytes = keys.get(keyId);
  if (bytes === undefined)
    throw new DecryptionError(`No encryption key ${JSON.stringify(keyId)} is configured`);
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

/** Length-prefixed, so that no choice of parts makes two contexts meet. */
function bindTo(context: readonly string[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(encoder.encode(context.map((part) => `${part.length}:${part}`).join('')));
}

/** With `atob`, because Node, where a local start reads the settings, has no `Uint8Array.fromBase64` yet. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function base64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(text, { alphabet: 'base64url' });
}
