/** The answer of a counter update, from what the pipeline has counted. */

import { callWarningOf } from '#contracts/public/call-warnings';
import type { Warning } from '#contracts/public/subjects';
import { writeUpdateAnswer } from '../metering/write-update-answer.ts';
import type { AccessResult } from './access-request.ts';
import type { CallQuery } from './call-query.ts';
import type { Counted } from './count-usage.ts';

const NONE: readonly never[] = [];
const USAGE_INCOMPLETE: readonly Warning[] = [callWarningOf('usage-incomplete')];

export interface RenderedUpdate {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

export function renderUpdate(
  requestId: string,
  counted: Counted,
  { identityWarnings, warnings }: Pick<AccessResult, 'identityWarnings' | 'warnings'>,
  query: CallQuery,
): RenderedUpdate {
  const isWhole = counted.report.isWhole;
  const all = identityWarnings.concat(query.warnings, warnings, isWhole ? NONE : USAGE_INCOMPLETE);
  return { text: writeUpdateAnswer(requestId, counted, all), warnings: all };
}
