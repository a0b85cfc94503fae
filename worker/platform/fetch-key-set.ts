/** Fetches the key set that an issuer publishes (JWKS). */
import { readPublicAddress } from './public-address.ts';

const MAX_ADDRESS = 500;
const MAX_BYTES = 64 * 1024;
const TIMEOUT_MS = 5_000;

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
function readAddress(address: string, options: KeySetOptions): URL {
  if (address.length > MAX_ADDRESS) throw new KeySetError('The address is not valid');
  const url = readPublicAddress(address, options);
  if (typeof url === 'string') throw new KeySetError(url);
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
