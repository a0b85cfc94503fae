/** The codes of the public API, from their records. */
import { HTTP_STATUS } from '#contracts/public/error-types';
import { REFUSAL_TEXTS } from '#contracts/public/refusal-texts';
import { REFUSALS, type RefusalCode } from '#contracts/public/refusals';
import { WARNING_ADVICE } from '#contracts/public/warning-advice';
import { WARNINGS, type WarningCode } from '#contracts/public/warnings';
import { cell } from './read-comment.ts';

export function errorCodes(): string {
  const rows = Object.entries(HTTP_STATUS).map(([code, status]) => `| \`${code}\` | ${status} |`);
  return ['| `errorType` | HTTP status |', '|---|---|', ...rows].join('\n');
}

export function refusalCodes(): string {
  const rows = (Object.keys(REFUSALS) as RefusalCode[]).map((code) => {
    const { meaning, advice } = REFUSAL_TEXTS[code];
    return `| \`${code}\` | \`${REFUSALS[code]}\` | ${cell(meaning)} | ${cell(advice)} |`;
  });
  return ['| `code` | `errorType` | meaning | what to do |', '|---|---|---|---|', ...rows].join('\n');
}

export function warningCodes(): string {
  const rows = (Object.keys(WARNINGS) as WarningCode[]).map(
    (code) => `| \`${code}\` | ${cell(WARNINGS[code])} | ${cell(WARNING_ADVICE[code])} |`,
  );
  return ['| code | message | effect, and what to do |', '|---|---|---|', ...rows].join('\n');
}
