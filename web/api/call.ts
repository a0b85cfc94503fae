/**
 * Calls the product API. Typed by the endpoint records in packages/contracts: fills in path parameters, sends JSON, and
 * throws every failure as an ApiError. Apart from api/auth-client.ts and
 * api/call-with-key.ts, nothing else in the console calls the server.
 */
import type { AnswerOf, BodyInputOf, Endpoint, ParamsOf, QueryInputOf } from '#contracts/public/endpoint';
import { noteServerTime } from '#web/clock.ts';
import { errorOf, networkError } from './api-error.ts';
import { firstOrFetch } from './first-calls.ts';

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [N in Name]?: undefined }
  : { readonly [N in Name]: Value };

export type CallInput<E extends Endpoint> = (keyof ParamsOf<E> extends never
  ? { readonly params?: undefined }
  : { readonly params: ParamsOf<E> }) &
  Part<'query', QueryInputOf<E>> &
  Part<'body', BodyInputOf<E>>;

let reportSignedOut: () => void = () => {};

/** `listener` runs whenever the server answers that the session has ended. */
export function onSignedOut(listener: () => void): void {
  reportSignedOut = listener;
}

/** For a call of another client that was refused because the session has ended. */
export const noteSignedOut = (): void => reportSignedOut();

/** @throws {ApiError} for every response that is not a success, and for network failures */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  signal?: AbortSignal,
): Promise<AnswerOf<E>> {
  const { params, query, body } = input as {
    params?: Record<string, string>;
    query?: Record<string, unknown>;
    body?: unknown;
  };
  const url = addressOf(endpoint, params ?? {}, query ?? {}, params?.orgId ?? organisationOf(body));
  const { answer, sentAt } = firstOrFetch(url, {
    method: endpoint.method,
    credentials: 'include',
    headers: endpoint.method === 'GET' ? {} : { 'content-type': 'application/json' },
    body: endpoint.method === 'GET' || body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  });
  const response = await answer.catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw networkError();
  });
  noteServerTime(response.headers, sentAt);
  const text = await response.text().catch(() => {
    throw networkError();
  });
  const error = errorOf(response.status, text, response.headers.get('x-request-id') ?? undefined);
  if (error?.errorType === 'unauthenticated') reportSignedOut();
  if (error !== null) throw error;
  return (text === '' ? undefined : JSON.parse(text)) as AnswerOf<E>;
}

/** Fills in the path's `:name` placeholders. A mutation also names its organisation in the query. */
export function addressOf(
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, unknown>>,
  organisationId = params.orgId,
): string {
  const filled = new Map(Object.entries(params));
  const path = endpoint.path.replace(/:([a-zA-Z]+)/g, (_, name: string) => {
    const value = filled.get(name);
    if (value === undefined) throw new TypeError(`${endpoint.path} needs ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  if (endpoint.method !== 'GET' && organisationId !== undefined) search.set('organisationId', organisationId);
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The organisation id of calls that carry it in the body instead of the path. */
function organisationOf(body: unknown): string | undefined {
  const { organizationId } = (body ?? {}) as { organizationId?: string };
  return organizationId;
}
