/**
 * The format of API keys. A key contains its environment's id, and a checksum that rejects mistyped keys without a
 * lookup. Whether a valid key exists is decided by the environment's snapshot.
 *
 *     tsr_sec_ | tsr_pub_   26 characters of the environment's id   32 of randomness   7 of checksum
 */
import { crc32 } from './crc32.ts';
import { encodeBase32, encodeUint32, isBase32 } from './crockford-base32.ts';

export type ApiKeyType = 'secret' | 'public';

/** 160 bits. */
export const API_KEY_RANDOM_BYTES = 20;
export const API_KEY_LENGTH = 73;

const ENVIRONMENT_PREFIX = 'env_';
const PREFIXES: Record<ApiKeyType, string> = { secret: 'tsr_sec_', public: 'tsr_pub_' };
const PREFIX_LENGTH = 8;
const CHECKSUM_AT = 66;

export interface ApiKeyParts {
  type: ApiKeyType;
  /** `env_` and 26 characters of Crockford base 32 in lower case. */
  environmentId: string;
  /** Exactly API_KEY_RANDOM_BYTES bytes from a cryptographic source. */
  random: Uint8Array;
}

/** The key's text. Throws a RangeError for an environment id or randomness of the wrong shape. */
export function formatApiKey({ type, environmentId, random }: ApiKeyParts): string {
  if (!isEnvironmentId(environmentId)) throw new RangeError('An API key needs an environment id');
  if (random.length !== API_KEY_RANDOM_BYTES) {
    throw new RangeError(`An API key needs ${API_KEY_RANDOM_BYTES} random bytes`);
  }
  const body = PREFIXES[type] + environmentId.slice(ENVIRONMENT_PREFIX.length) + encodeBase32(random);
  return body + encodeUint32(crc32(body));
}

export type ParsedApiKey = { ok: true; type: ApiKeyType; environmentId: string } | { ok: false };

const REFUSED: ParsedApiKey = { ok: false };

/** Parses a key. Accepts any text and never throws. */
export function parseApiKey(text: string): ParsedApiKey {
  if (text.length !== API_KEY_LENGTH) return REFUSED;
  const type = typeOf(text);
  if (type === null || !isBase32(text, PREFIX_LENGTH, API_KEY_LENGTH)) return REFUSED;
  if (!text.endsWith(encodeUint32(crc32(text, CHECKSUM_AT)))) return REFUSED;
  return {
    ok: true,
    type,
    environmentId: ENVIRONMENT_PREFIX + text.slice(PREFIX_LENGTH, PREFIX_LENGTH + 26),
  };
}

/** The masked key, safe to display: its type and last four characters. */
export function maskApiKey(text: string): string {
  const type = typeOf(text);
  if (type === null || text.length !== API_KEY_LENGTH) return '••••••••';
  return `${PREFIXES[type]}••••••••${text.slice(-4)}`;
}

/** Whether `text` has the format of an environment id. */
export function isEnvironmentId(text: string): boolean {
  return text.length === 30 && text.startsWith(ENVIRONMENT_PREFIX) && isBase32(text, 4, 30);
}

function typeOf(text: string): ApiKeyType | null {
  if (text.startsWith(PREFIXES.secret)) return 'secret';
  return text.startsWith(PREFIXES.public) ? 'public' : null;
}
