/** A call of the fake server, and how paths name calls. */
import { invalidField } from '#engine/access/api-error';
import type { FakeAnswer, FakeApi, FakeCall } from './fake-api.ts';
import type { BodyLimits } from './read-body.ts';

export const CALL_LIMITS: BodyLimits = { bytes: 64 * 1024, values: 1_000 };
export const BATCH_LIMITS: BodyLimits = { bytes: 256 * 1024, values: 4_000 };

export interface FakeRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Parameters are written `:name`. */
  readonly path: string;
  readonly limits: BodyLimits;
  /** Absent: the call has no body. @throws {ApiError} invalid-request */
  readonly ensureBody?: (body: Readonly<Record<string, unknown>>) => void;
  /** Why public keys are refused; absent: they are not. The secret key may change customers. */
  readonly secretKeyOnly?: string;
  readonly managingKeyOnly?: string;
  readonly canExplain?: true;
  /** The key may come as X-API-Key, too. */
  readonly takesApiKey?: true;
  readonly answer: (api: FakeApi, call: FakeCall, newId: () => string) => Promise<FakeAnswer>;
}

/** @param path without a slash at its end @returns null if it is not of the route */
export function paramsIn(route: FakeRoute, path: string): Record<string, string> | null {
  const sent = path.split('/');
  const parts = route.path.split('/');
  const params: Record<string, string> = {};
  const isIt = parts.every((part, at) => {
    const segment = sent[at];
    if (!part.startsWith(':')) return part === segment;
    params[part.slice(1)] = segment ?? '';
    return Boolean(segment);
  });
  return isIt && parts.length === sent.length ? params : null;
}

/** @throws {ApiError} invalid-request naming a parameter that is not URL-encoded UTF-8 */
export function decoded(params: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(params).map(([name, segment]) => {
    try {
      return [name, decodeURIComponent(segment)];
    } catch {
      throw invalidField(name, 'Must be URL-encoded UTF-8');
    }
  });
  return Object.fromEntries(entries);
}
