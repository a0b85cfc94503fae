/** Reads the query of a call. The usual ones are recognised without parsing. */
import { type CallQuery, EXPLAINED, NO_QUERY, queryOf } from '#engine/access/call-query';

/**
 * @param query without its question mark
 * @param canExplain whether the call knows `explain`
 * @throws {ApiError} invalid-request
 */
export function readQuery(query: string | undefined, canExplain: boolean): CallQuery {
  if (query === undefined || query === '') return NO_QUERY;
  if (canExplain && query === 'explain=1') return EXPLAINED;
  return queryOf(new URLSearchParams(query), canExplain);
}
