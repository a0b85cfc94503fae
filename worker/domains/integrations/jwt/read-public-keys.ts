/**
 * Reads what somebody pasted as a public key: one PEM block (SPKI or a certificate), a JWK, or a JWKS. What is stored is the
 * public parts of signing keys and nothing else. A private key or a shared secret is refused with words that say what it
 * is: whoever pasted it should know.
 */
import { MAX_KEYS_PER_INTEGRATION } from '#contracts/integrations';
import type { PublicJwk } from '#contracts/snapshot';
import type { StoredPublicKey } from '#worker/db/schema/integrations';
import { algorithmsOf } from '#worker/domains/identity/fit-algorithm';
import { invalidField } from '#worker/http/api-error';
import { type ImportedKey, importDer, importJwk } from '#worker/platform/jwt';

const MIN_RSA_BITS = 2048;
/** Verifying takes longer with every bit. */
const MAX_RSA_BITS = 8192;
const MAX_KID_LENGTH = 200;
/** Parameters that only private and secret keys have (RFC 7518 section 6). */
const PRIVATE_PARAMETERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'priv'] as const;
const FINGERPRINT_LENGTH = 16;

const refuse = (message: string) => invalidField('publicKey', message);

/** @throws {ApiError} invalid-request naming publicKey */
export async function readPublicKeys(text: string): Promise<StoredPublicKey[]> {
  if (text.includes('PRIVATE KEY-----')) {
    throw refuse('This is a private key. Paste the public key, and treat the private one as given away.');
  }
  if (text.includes('-----BEGIN ')) return [stored(await readPem(text), {})];
  if (!text.startsWith('{')) throw refuse(describeOtherForm(text));
  const keys = keysIn(parseJson(text));
  if (keys.length === 0) throw refuse('The key set holds no key for signatures');
  if (keys.length > MAX_KEYS_PER_INTEGRATION) {
    throw refuse(
      `A key set can hold at most ${MAX_KEYS_PER_INTEGRATION} keys for signatures; this one has ${keys.length}`,
    );
  }
  return Promise.all(keys.map(readJwk));
}

/** Tools write words about a key in front of it. */
const PEM = /-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END \1-----/;

async function readPem(text: string): Promise<ImportedKey> {
  if (text.split('-----BEGIN ').length > 2) {
    throw refuse('Paste one key only. Several keys can be given as a JWKS.');
  }
  // In settings and environment variables, line breaks are often written out.
  const [, label, body = ''] = PEM.exec(text.replaceAll('\\n', '\n')) ?? [];
  if (label === undefined) throw refuse('The PEM block is incomplete');
  if (label === 'RSA PUBLIC KEY') {
    throw refuse(
      'This is a key in PKCS #1 form. Convert it: openssl rsa -RSAPublicKey_in -in key.pem -pubout',
    );
  }
  if (label !== 'PUBLIC KEY' && label !== 'CERTIFICATE') {
    throw refuse(`A PEM block of the kind ${label} is not a public key`);
  }
  const key = await importDer(label, body.replaceAll(/\s/g, ''));
  if (key === null)
    throw refuse('The key could not be read. RSA, EC (P-256 or P-384) and Ed25519 keys are supported.');
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
    // Told below.
  }
  throw refuse('This is not valid JSON');
}

/** A key set's keys for encryption are of no use here, and left out. */
function keysIn(value: Parameters): Parameters[] {
  if (!Object.hasOwn(value, 'keys')) return [value];
  const { keys } = value;
  if (!Array.isArray(keys) || !keys.every(isObject)) throw refuse('The key set has no list of keys');
  for (const key of keys) refuseSecret(key);
  return keys.filter((key) => key.use === undefined || key.use === 'sig');
}

function refuseSecret(key: Parameters): void {
  if (key.kty === 'oct' || Object.hasOwn(key, 'k')) {
    throw refuse(
      'This is a shared secret (HMAC). Only public keys are accepted: RSA, EC (P-256 or P-384) or Ed25519.',
    );
  }
  if (PRIVATE_PARAMETERS.some((name) => Object.hasOwn(key, name))) {
    throw refuse('This is a private key. Paste the public key, and treat the private one as given away.');
  }
}

async function readJwk(key: Parameters): Promise<StoredPublicKey> {
  refuseSecret(key);
  const { kty, crv, kid, alg, use } = key;
  if (typeof kty !== 'string') throw refuse('The key does not say its type (kty)');
  if (use !== undefined && use !== 'sig')
    throw refuse('This key is meant for encryption, not for signatures');
  const algorithms =
    kty === 'RSA' || ((kty === 'EC' || kty === 'OKP') && typeof crv === 'string')
      ? algorithmsOf(kty === 'RSA' ? { kty } : { kty, crv: crv as string })
      : new Set<string>();
  if (algorithms.size === 0) {
    const name = [kty, ...(typeof crv === 'string' ? [crv] : [])].join(' ').slice(0, 40);
    throw refuse(
      `Keys of the type ${name} are not supported. RSA, EC (P-256 or P-384) and Ed25519 keys are.`,
    );
  }
  if (alg !== undefined && !(typeof alg === 'string' && algorithms.has(alg))) {
    throw refuse(`A key of this type cannot be used with the algorithm ${String(alg).slice(0, 40)}`);
  }
  if (kid !== undefined && !isKeyId(kid)) {
    throw refuse(`The key's id (kid) must be text of 1 to ${MAX_KID_LENGTH} characters`);
  }
  const imported = await importJwk(key);
  if (imported === null)
    throw refuse('The key could not be read: its parameters do not make a valid public key');
  return stored(imported, {
    ...(kid === undefined ? {} : { kid }),
    // The others have one algorithm anyway.
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
  if (jwk.kty === 'RSA') refuseUnsafeRsa(jwk, modulusBits ?? 0);
  const [only] = algorithmsOf(jwk);
  const kind = jwk.kty === 'RSA' ? (jwk.alg ?? 'RSA') : only;
  const size = jwk.kty === 'RSA' ? `${modulusBits} bit` : jwk.crv;
  const fingerprint = imported.fingerprint.slice(0, FINGERPRINT_LENGTH);
  return { jwk, anonymized: `${kind} · ${size} · SHA-256:${fingerprint}…` };
}

function refuseUnsafeRsa({ e = '' }: PublicJwk, modulusBits: number): void {
  if (modulusBits < MIN_RSA_BITS) {
    throw refuse(`RSA keys must have at least ${MIN_RSA_BITS} bits; this one has ${modulusBits}`);
  }
  if (modulusBits > MAX_RSA_BITS) {
    throw refuse(`RSA keys can have at most ${MAX_RSA_BITS} bits; this one has ${modulusBits}`);
  }
  // With the exponent 1 everybody's signature would be good.
  if (e === 'AQ') throw refuse('The exponent of this RSA key is not safe');
}

function describeOtherForm(text: string): string {
  if (/^https?:\/\//i.test(text)) return 'This is an address. Open it and paste the keys that it shows.';
  if (/^(ssh-|ecdsa-)/.test(text)) {
    return 'This is an SSH key. Convert it: ssh-keygen -e -m PKCS8 -f key.pub';
  }
  if (/^eyJ[\w-]*\.[\w-]*\./.test(text)) return 'This is a token. Paste the public key that verifies it.';
  return 'Paste a public key in PEM form (-----BEGIN PUBLIC KEY-----), a certificate, a JWK or a JWKS';
}
