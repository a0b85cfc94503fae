/**
 * The query of a call. Proxies and flag clients add fields of their own, so unknown ones are ignored, with a warning. A known one with an
 * invalid value is refused: before anything is counted.
 */

import { callWarningOf } from '#contracts/public/call-warnings';
import type { Warning } from '#contracts/public/subjects';
import { invalidField } from './api-error.ts';

export interface CallQuery {
  readonly isExplained: boolean;
  readonly warnings: readonly Warning[];
}

export const NO_QUERY: CallQuery = { isExplained: false, warnings: [] };
export const EXPLAINED: CallQuery = { isExplained: true, warnings: [] };

/** As URLSearchParams has them, decoded. */
export interface QueryFields {
  getAll(name: string): readonly string[];
  keys(): Iterable<string>;
}

/** The warning is for people: a few names, none of them long. */
const MAX_NAMES = 5;
const MAX_NAME = 50;

/**
 * @param canExplain whether the call knows `explain`
 * @throws {ApiError} invalid-request
 */
export function queryOf(fields: QueryFields, canExplain: boolean): CallQuery {
  const explain = canExplain ? fields.getAll('explain') : [];
  if (!explain.every((value) => value === '1' || value === 'true')) {
    throw invalidField('explain', 'Must be 1 or true');
  }
  const ignored = [...new Set(fields.keys())].filter((name) => !canExplain || name !== 'explain');
  // Encoded, so that a name shows what was sent and nothing else.
  const names = ignored.slice(0, MAX_NAMES).map((name) => encodeURIComponent(name).slice(0, MAX_NAME));
  return {
    isExplained: explain.length > 0,
    warnings: ignored.length === 0 ? [] : [callWarningOf('query-ignored', names.join(', '))],
  };
}
