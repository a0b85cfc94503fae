/** The keys of an integration as a person gives them: pasted, or the address at which the issuer publishes them (JWKS). */
import { invalidField } from '#worker/http/api-error';
import type { RequestContext } from '#worker/http/request-context';
import { fetchKeySet, KeySetError } from '#worker/platform/fetch-key-set';
import type { JwtIntegrationRow } from './jwt-integration-store.ts';
import { readKeySet, readPublicKeys } from './read-public-keys.ts';

type GivenKeys = Pick<
  JwtIntegrationRow,
  'publicKeys' | 'keyAddress' | 'keysFetchedAt' | 'keysTriedAt' | 'keysProblem'
>;

/**
 * An address is called at once: what it does not return now would be missed by every token.
 * @throws {ApiError} invalid-request naming publicKey
 */
export async function readGivenKeys(
  { settings, now }: Pick<RequestContext, 'settings' | 'now'>,
  text: string,
): Promise<GivenKeys> {
  if (!/^https?:\/\//i.test(text)) {
    const publicKeys = await readPublicKeys(text);
    return { publicKeys, keyAddress: null, keysFetchedAt: null, keysTriedAt: null, keysProblem: null };
  }
  try {
    const publicKeys = await readKeySet(await fetchKeySet(text, settings));
    return { publicKeys, keyAddress: text, keysFetchedAt: now, keysTriedAt: now, keysProblem: null };
  } catch (error) {
    if (error instanceof KeySetError) throw invalidField('publicKey', error.message);
    throw error;
  }
}
