/** The parameters of a public call's path. Only the calls that have some read them. */
import type { ParamsOf, PublicEndpoint } from '#contracts/public/endpoint';
import { invalidField } from '#worker/http/api-error';

/** @throws {ApiError} invalid-request naming a parameter that is not URL-encoded UTF-8 */
export function paramsOf<E extends PublicEndpoint>({ path }: E, { url }: Pick<Request, 'url'>): ParamsOf<E> {
  const sent = new URL(url).pathname.split('/');
  const params = path.split('/').flatMap((part, index) => {
    const name = part.slice(1);
    return part.startsWith(':') ? [[name, decoded(name, sent[index] ?? '')]] : [];
  });
  return Object.fromEntries(params) as ParamsOf<E>;
}

function decoded(name: string, segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalidField(name, 'Must be URL-encoded UTF-8');
  }
}
