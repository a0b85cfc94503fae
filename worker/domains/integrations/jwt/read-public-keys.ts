/**
 * Parses a pasted public key: one PEM block (SPKI or certificate), a JWK or a JWKS. Only the public parts of signing
 * keys are stored. A private key or shared secret is rejected with a message that names what was pasted, because its
 * owner should treat it as compromised.
 */
import { MAX_KEYS_PER_INTEGRATION } from '#contracts/console/integrations';
import type { PublicJwk } from '#contracts/internal/snapshot';
import type { StoredPublicKey } from '#worker/db/schema/integrations';
import { algorithmsOf } from '#worker/domains/identity/fit-algorithm';
import { invalidField } from '#worker/http/api-error';
import { type ImportedKey, importDer, importJwk } from '#worker/platform/jwt';

const MIN_RSA_BITS = 2048;
/** Verification time grows with the key size. */
const MAX_RSA_BITS = 8192;
/** With exponent 1 any signature verifies; with 3, careless verifiers accept forged padding. */
const MIN_RSA_EXPONENT = 65_537;
/** The y coordinates of Ed25519 points of order 1, 2, 4 and 8, canonical or not, without the sign bit. */
const LOW_ORDER_POINTS: ReadonlySet<string> = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
]);
const MAX_KID_LENGTH = 200;
/** Importing a key takes time. */
const MAX_TRIED = 50;
/** Parameters of private and symmetric keys only (RFC 7518 section 6). */
const PRIVATE_PARAMETERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'priv'] as const;
const FINGERPRINT_LENGTH = 16;

const invalidKey = (message: string) => invalidField('publicKey', message);

/** @throws {ApiError} invalid-request naming publicKey */
export async function readPublicKeys(text: string): Promise<StoredPublicKey[]> {
  if (text.includes('PRIVATE KEY-----')) {
    throw invalidKey(
      'This is a private key. Paste the public key, and replace the private key because it is now exposed.',
    );
  }
  if (text.includes('-----BEGIN ')) return [stored(await readPem(text), {})];
  if (!text.startsWith('{')) throw invalidKey(describeOtherForm(text));
  const given = parseJson(text);
  if (!Object.hasOwn(given, 'keys')) return [await readJwk(given)];
  const keys = keysIn(given);
  for (const key of keys) ensureIsPublic(key);
  const supported = await supportedKeys(keys);
  if (supported.length > MAX_KEYS_PER_INTEGRATION) {
    throw invalidKey(
      `A key set can have at most ${MAX_KEYS_PER_INTEGRATION} signing keys. This one has ${supported.length}.`,
    );
  }
  return supported;
}

/**
 * Of the set that an issuer publishes. What cannot be used is left out, a private key among it.
 * @throws {ApiError} invalid-request naming publicKey, if nothing can be used
 */
export async function readKeySet(text: string): Promise<StoredPublicKey[]> {
  return (await supportedKeys(keysIn(parseJson(text)))).slice(0, MAX_KEYS_PER_INTEGRATION);
}

/** Issuers publish keys of kinds that we do not know beside those that we do. */
async function supportedKeys(all: readonly Parameters[]): Promise<StoredPublicKey[]> {
  const keys = all.filter((key) => key.use === undefined || key.use === 'sig');
  if (keys.length === 0) throw invalidKey('The key set has no signing keys');
  const read = await Promise.allSettled(keys.slice(0, MAX_TRIED).map(readJwk));
  const supported = read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const [first] = read;
  if (supported.length === 0 && first?.status === 'rejected') throw first.reason;
  return supported;
}

/** Text around the block is ignored: some tools print a description before the key. */
const PEM = /-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END \1-----/;

async function readPem(text: string): Promise<ImportedKey> {
  if (text.split('-----BEGIN ').length > 2) {
    throw invalidKey('Paste one key only. To add several, paste a JWKS.');
  }
  // Environment variables often contain line breaks as a literal \n.
  const [, label, body = ''] = PEM.exec(text.replaceAll('\\n', '\n')) ?? [];
  if (label === undefined) throw invalidKey('The PEM block is incomplete');
  if (label === 'RSA PUBLIC KEY') {
    throw invalidKey(
      'This is a key in PKCS #1 form. Convert it: openssl rsa -RSAPublicKey_in -in key.pem -pubout',
    );
  }
  if (label !== 'PUBLIC KEY' && label !== 'CERTIFICATE') {
    throw invalidKey(`A ${label} PEM block is not a public key`);
  }
  const key = await importDer(label, body.replaceAll(/\s/g, ''));
  if (key === null)
    throw invalidKey('The key could not be read. RSA, EC (P-256 or P-384) and Ed25519 keys are supported.');
  return key;
}

type Parameters = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): Parameters {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw invalidKey('This is not valid JSON');
}

function keysIn({ keys }: Parameters): Parameters[] {
  if (!Array.isArray(keys) || !keys.every(isObject)) throw invalidKey('The key set has no keys list');
  return keys;
}

function ensureIsPublic(key: Parameters): void {
  if (key.kty === 'oct' || Object.hasOwn(key, 'k')) {
    throw invalidKey(
      'This is a shared secret (HMAC). Only public keys are accepted: RSA, EC (P-256 or P-384) or Ed25519.',
    );
  }
  if (PRIVATE_PARAMETERS.some((name) => Object.hasOwn(key, name))) {
    throw invalidKey(
      'This is a private key. Paste the public key, and replace the private key because it is now exposed.',
    );
  }
}

async function readJwk(key: Parameters): Promise<StoredPublicKey> {
  ensureIsPublic(key);
  const { kty, crv, kid, alg, use } = key;
  if (typeof kty !== 'string') throw invalidKey('The key has no type (kty)');
  if (use !== undefined && use !== 'sig') throw invalidKey('This key is for encryption, not for signatures');
  const algorithms =
    kty === 'RSA' || ((kty === 'EC' || kty === 'OKP') && typeof crv === 'string')
      ? algorithmsOf(kty === 'RSA' ? { kty } : { kty, crv: crv as string })
      : new Set<string>();
  if (algorithms.size === 0) {
    const name = [kty, ...(typeof crv === 'string' ? [crv] : [])].join(' ').slice(0, 40);
    throw invalidKey(
      `Keys of the type ${name} are not supported. RSA, EC (P-256 or P-384) and Ed25519 keys are.`,
    );
  }
  if (alg !== undefined && !(typeof alg === 'string' && algorithms.has(alg))) {
    throw invalidKey(`A key of this type cannot be used with the algorithm ${String(alg).slice(0, 40)}`);
  }
  if (kid !== undefined && !isKeyId(kid)) {
    throw invalidKey(`The key ID (kid) must be text of 1 to ${MAX_KID_LENGTH} characters`);
  }
  const imported = await importJwk(key);
  if (imported === null)
    throw invalidKey('The key could not be read. Its parameters are not a valid public key.');
  return stored(imported, {
    ...(kid === undefined ? {} : { kid }),
    // Every other key type has exactly one algorithm.
    ...(kty === 'RSA' && alg !== undefined ? { alg } : {}),
  });
}

function isKeyId(kid: unknown): kid is string {
  return (
    typeof kid === 'string' &&
    kid.length > 0 &&
    kid.length <= MAX_KID_LENGTH &&
    !/[\p{Cc}\p{Surrogate}]/u.test(kid)
  );
}

function stored(imported: ImportedKey, named: Pick<PublicJwk, 'kid' | 'alg'>): StoredPublicKey {
  const { modulusBits } = imported;
  const jwk: PublicJwk = { ...named, ...imported.jwk };
  if (jwk.kty === 'RSA') ensureSafeRsa(jwk, modulusBits ?? 0);
  if (jwk.kty === 'OKP') ensureSafeEdwards(jwk);
  const [only] = algorithmsOf(jwk);
  const kind = jwk.kty === 'RSA' ? (jwk.alg ?? 'RSA') : only;
  const size = jwk.kty === 'RSA' ? `${modulusBits} bit` : jwk.crv;
  const fingerprint = imported.fingerprint.slice(0, FINGERPRINT_LENGTH);
  return { jwk, anonymized: `${kind} · ${size} · SHA-256:${fingerprint}…` };
}

function ensureSafeRsa({ e = '' }: PublicJwk, modulusBits: number): void {
  if (modulusBits < MIN_RSA_BITS) {
    throw invalidKey(`RSA keys must have at least ${MIN_RSA_BITS} bits; this one has ${modulusBits}`);
  }
  if (modulusBits > MAX_RSA_BITS) {
    throw invalidKey(`RSA keys can have at most ${MAX_RSA_BITS} bits; this one has ${modulusBits}`);
  }
  if (numberOf(e) < MIN_RSA_EXPONENT) throw invalidKey('This RSA key’s exponent is not secure');
}

/** Large numbers lose precision, which a comparison with a small one allows. */
function numberOf(base64url: string): number {
  return bytesOf(base64url).reduce((sum, byte) => sum * 256 + byte, 0);
}

/** @throws {ApiError} for a point of low order, for which a signature can be made without the private key */
function ensureSafeEdwards({ x = '' }: PublicJwk): void {
  const hex = bytesOf(x)
    .map((byte, index) => (index === 31 ? byte & 0x7f : byte))
    .reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '');
  if (LOW_ORDER_POINTS.has(hex)) throw invalidKey('This Ed25519 key is not secure');
}

function bytesOf(base64url: string): number[] {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Array.from(text, (character) => character.charCodeAt(0));
}

function describeOtherForm(text: string): string {
  if (/^(ssh-|ecdsa-)/.test(text)) {
    return 'This is an SSH key. Convert it: ssh-keygen -e -m PKCS8 -f key.pub';
  }
  if (/^eyJ[\w-]*\.[\w-]*\./.test(text)) return 'This is a token. Paste the public key that verifies it.';
  return 'Paste a public key in PEM form (-----BEGIN PUBLIC KEY-----), a certificate, a JWK or a JWKS';
}
