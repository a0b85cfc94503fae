/**
 * The format of API keys. A key contains its environment's id, the data location in which the organisation was at home when it was
 * made, and a checksum that rejects mistyped keys without a lookup. Whether a valid key exists is decided by the environment's snapshot.
 *
 *     tsr_sec_ | tsr_pub_   26 characters of the environment's id   3 of the location   29 of randomness   7 of checksum
 *
 * The location is a hint. Keys of earlier versions have randomness in its place, so one in 3,600 of them names some location.
 */
import type { DataLocation } from '../regions/data-locations.ts';
import { crc32 } from './crc32.ts';
import { encodeBase32, encodeUint32, isBase32 } from './crockford-base32.ts';

export type ApiKeyType = 'secret' | 'public';

/** 144 bits. */
export const API_KEY_RANDOM_BYTES = 18;
export const API_KEY_LENGTH = 73;

const ENVIRONMENT_PREFIX = 'env_';
const PREFIXES: Record<ApiKeyType, string> = { secret: 'tsr_sec_', public: 'tsr_pub_' };
const PREFIX_LENGTH = 8;
const HOME_AT = 34;
const CHECKSUM_AT = 66;
/** Never changes: it is in keys. */
const HOMES: Readonly<Record<DataLocation, string>> = {
  wnam: 'at0',
  enam: 'at1',
  weur: 'at2',
  eeur: 'at3',
  apac: 'at4',
  sam: 'at5',
  oc: 'at6',
  afr: 'at7',
  me: 'at8',
};
const HOME_OF = new Map(Object.entries(HOMES).map(([location, text]) => [text, location as DataLocation]));

export interface ApiKeyParts {
  type: ApiKeyType;
  /** `env_` and 26 characters of Crockford base 32 in lower case. */
  environmentId: string;
  /** The organisation's home location. */
  home: DataLocation;
  /** Exactly API_KEY_RANDOM_BYTES bytes from a cryptographic source. */
  random: Uint8Array;
}

/** The key's text. Throws a RangeError for an environment id or randomness of the wrong shape. */
export function formatApiKey({ type, environmentId, home, random }: ApiKeyParts): string {
  if (!isEnvironmentId(environmentId)) throw new RangeError('An API key needs an environment id');
  if (random.length !== API_KEY_RANDOM_BYTES) {
    throw new RangeError(`An API key needs ${API_KEY_RANDOM_BYTES} random bytes`);
  }
  const place = environmentId.slice(ENVIRONMENT_PREFIX.length) + HOMES[home];
  const body = PREFIXES[type] + place + encodeBase32(random);
  return body + encodeUint32(crc32(body));
}

export type ParsedApiKey =
  /** Without `home` if the key is of an earlier version. */
  { ok: true; type: ApiKeyType; environmentId: string; home: DataLocation | undefined } | { ok: false };

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
    environmentId: ENVIRONMENT_PREFIX + text.slice(PREFIX_LENGTH, HOME_AT),
    home: HOME_OF.get(text.slice(HOME_AT, HOME_AT + 3)),
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
