/**
 * Fetches the key set that an issuer publishes (JWKS). The address is chosen by customers, so it may name no network but the public one:
 * names are checked here, and in production the platform routes fetches to the public network only (`global_fetch_strictly_public`).
 */
const MAX_ADDRESS = 500;
const MAX_BYTES = 64 * 1024;
const TIMEOUT_MS = 5_000;
const IP_ADDRESS = /^(?:\d+\.\d+\.\d+\.\d+|\[.*\])$/;
/** Names that mean something in private networks only. */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|private|corp|home\.arpa)$/;

export class KeySetError extends Error {
  override readonly name = 'KeySetError';
}

interface KeySetOptions {
  /** Local servers may also fetch from this machine, without encryption. */
  readonly isDevelopment: boolean;
}

/**
 * @returns the text of the set
 * @throws {KeySetError} for people: why there is none
 */
export async function fetchKeySet(address: string, options: KeySetOptions): Promise<string> {
  const url = readAddress(address, options);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    // A redirect could lead anywhere.
    const response = await fetch(url, {
      redirect: 'manual',
      signal,
      headers: { accept: 'application/json' },
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new KeySetError(`The address answered with status ${response.status}. It must answer with 200.`);
    }
    return await readBounded(response);
  } catch (error) {
    if (error instanceof KeySetError) throw error;
    throw new KeySetError(
      signal.aborted ? 'The address did not answer within 5 seconds' : 'The address could not be reached',
    );
  }
}

/** @throws {KeySetError} */
function readAddress(address: string, { isDevelopment }: KeySetOptions): URL {
  const url = URL.parse(address);
  if (url === null || address.length > MAX_ADDRESS) throw new KeySetError('The address is not valid');
  const name = url.hostname.replace(/\.$/, '');
  if (isDevelopment && url.protocol === 'http:' && name === '127.0.0.1') return url;
  if (url.protocol !== 'https:') throw new KeySetError('The address must begin with https://');
  if (url.username !== '' || url.password !== '')
    throw new KeySetError('The address must not have a password');
  if (IP_ADDRESS.test(name) || PRIVATE_NAME.test(name) || !name.includes('.')) {
    throw new KeySetError('The address must have a public domain name');
  }
  return url;
}

async function readBounded({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new KeySetError('The key set is larger than 64 KB');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
