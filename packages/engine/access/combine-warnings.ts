import type { Warning } from '#contracts/public/subjects';

/** Each warning once, in the order of the stages. */
export function combineWarnings(warnings: readonly Warning[], more: readonly Warning[]): readonly Warning[] {
  if (more.length === 0) return warnings;
  if (warnings.length === 0) return more;
  return [...warnings, ...more.filter((each) => !warnings.some((known) => isSame(known, each)))];
}

function isSame(one: Warning, other: Warning): boolean {
  return one.code === other.code && one.message === other.message;
}
