/** Queries that are one call, or one call per page. */
import {
  infiniteQueryOptions,
  queryOptions,
  skipToken,
  type UndefinedInitialDataOptions,
} from '@tanstack/react-query';
import type { AnswerOf, Endpoint } from '#contracts/public/endpoint';
import { type CallInput, call } from './call.ts';

type Key = readonly unknown[];
type Options<Answer, K extends Key> = Omit<
  UndefinedInitialDataOptions<Answer, Error, Answer, K>,
  'queryKey' | 'queryFn'
>;

/** @param input null: the query is idle */
export const callQuery = <E extends Endpoint, const K extends Key>(
  queryKey: K,
  endpoint: E,
  input: CallInput<E> | null,
  options: Options<AnswerOf<E>, K> = {},
) =>
  queryOptions({
    ...options,
    queryKey,
    queryFn: input === null ? skipToken : ({ signal }) => call(endpoint, input, signal),
  });

interface Page {
  /** Null: the last page. */
  readonly nextCursor: string | null;
}

/** @param read gets the cursor for its query, except on the first page */
export const pagesQuery = <P extends Page, const K extends Key>(
  queryKey: K,
  read: (cursor: { readonly cursor?: string }, signal: AbortSignal) => Promise<P>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam: cursor }) => read(cursor === null ? {} : { cursor }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
