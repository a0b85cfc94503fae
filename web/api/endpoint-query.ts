/**
 * Reads that are calls of one endpoint: the key and the call follow from its record and parameters. A key begins with its scope:
 *
 *     ['org', orgId, environmentId | null, resource, path, params, …]   data of an organisation, or of one of its environments
 *     ['user', null, null, …]                                           data of the signed-in user, across organisations
 *     ['sudo', …]                                                       data that platform staff see
 *
 * Signing out removes these three (session/start-frame.ts). `resource` is what the record `reads`: api/refresh.ts finds by it what a change
 * makes stale.
 */
import {
  infiniteQueryOptions,
  queryOptions,
  skipToken,
  type UndefinedInitialDataOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import type {
  AnswerOf,
  BodyInputOf,
  Endpoint,
  ParamsOf,
  QueryInputOf,
  Resource,
} from '#contracts/public/endpoint';
import { type CallInput, call } from './call.ts';

type Key = readonly unknown[];
type Reading = Endpoint & { readonly reads: Resource };
/** Null: not known yet, and the query is idle. */
type Pending<Fields> = { readonly [Name in keyof Fields]: Fields[Name] | null };
type Field<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [N in Name]?: undefined }
  : Record<never, never> extends Value
    ? { readonly [N in Name]?: Value | null }
    : { readonly [N in Name]: Value | null };
type Sent<E extends Endpoint> = Field<'query', QueryInputOf<E>> & Field<'body', BodyInputOf<E>>;
type Options<E extends Endpoint> = Sent<E> &
  Omit<UndefinedInitialDataOptions<AnswerOf<E>, Error, AnswerOf<E>, Key>, 'queryKey' | 'queryFn'>;
type Rest<E extends Endpoint> =
  Record<never, never> extends Sent<E> ? [options?: Options<E>] : [options: Options<E>];

/** @param more what tells reads of the same endpoint apart */
export const endpointKey = (
  { path, reads }: Pick<Reading, 'path' | 'reads'>,
  params: Readonly<Record<string, string | null>>,
  ...more: readonly unknown[]
): Key => {
  const { orgId = null, envId = null, environmentId = envId } = params;
  return [/^\/api\/(org|user|sudo)/.exec(path)?.[1], orgId, environmentId, reads, path, params, ...more];
};

/** The key of what no change makes stale: what it decides would otherwise be refetched by its own consequence. */
export const unwatchedKey = (orgId: string, ...name: readonly unknown[]): Key => [
  ...(['org', orgId, null, null] as const),
  ...name,
];

/** Beside the options of the query: the call's `query` and `body`. */
export function endpointQuery<E extends Reading>(
  endpoint: E,
  params: Pending<ParamsOf<E>>,
  ...[given]: Rest<E>
) {
  const { query, body, ...options } = (given ?? {}) as Options<E>;
  const isIdle = query === null || body === null || Object.values(params).includes(null);
  const sent = query === undefined && body === undefined ? [] : [{ query, body }];
  return queryOptions({
    ...options,
    queryKey: endpointKey(endpoint, params, ...sent),
    queryFn: isIdle
      ? skipToken
      : ({ signal }) => call(endpoint, { params, query, body } as unknown as CallInput<E>, signal),
  });
}

export const useEndpoint = <E extends Reading>(
  endpoint: E,
  params: Pending<ParamsOf<E>>,
  ...options: Rest<E>
): UseQueryResult<AnswerOf<E>, Error> => useQuery(endpointQuery(endpoint, params, ...options));

/** Null: the last page. */
type Paged<E extends Endpoint> = AnswerOf<E> & { readonly nextCursor: string | null };

/** A list by pages. @param query without the cursor */
export const pagesQuery = <E extends Reading>(
  endpoint: E,
  params: ParamsOf<E>,
  query: Omit<QueryInputOf<E>, 'cursor'>,
) =>
  infiniteQueryOptions({
    queryKey: endpointKey(endpoint, params, 'pages', query),
    queryFn: ({ signal, pageParam: cursor }) => {
      const input = { params, query: cursor === null ? query : { ...query, cursor } };
      return call(endpoint, input as unknown as CallInput<E>, signal) as Promise<Paged<E>>;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
