/** The codes of the public API, from their records. */
import { HTTP_STATUS } from '#contracts/public/error-types';
import { WARNING_ADVICE } from '#contracts/public/warning-advice';
import { WARNINGS, type WarningCode } from '#contracts/public/warnings';
import { cell } from './read-comment.ts';

export function errorCodes(): string {
  const rows = Object.entries(HTTP_STATUS).map(([code, status]) => `| \`${code}\` | ${status} |`);
  return ['| `errorType` | HTTP status |', '|---|---|', ...rows].join('\n');
}

export function warningCodes(): string {
  const rows = (Object.keys(WARNINGS) as WarningCode[]).map(
    (code) => `| \`${code}\` | ${cell(WARNINGS[code])} | ${cell(WARNING_ADVICE[code])} |`,
  );
  return ['| code | message | effect, and what to do |', '|---|---|---|', ...rows].join('\n');
}
