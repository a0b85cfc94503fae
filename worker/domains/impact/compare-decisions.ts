/** What differs between two decisions of one recorded check. */
import type { RecordedCheck } from '#contracts/internal/recorded-check';
import type { ReplayedCheck } from '#worker/domains/access/tries/replay-check';
import type { Difference } from './summarise-replay.ts';

export interface Decided {
  readonly check: RecordedCheck;
  readonly old: ReplayedCheck;
  readonly next: ReplayedCheck;
}

/** A run that breaks its isolate ends those beside it, which are not to blame. */
export function isStopped(decided: Decided | null): boolean {
  const { old, next } = decided ?? {};
  return [old, next].some((side) =>
    side?.executions.some(({ status }) => status === 'killed' || status === 'lost'),
  );
}

/** Null if a workflow could not run, whatever its code does. */
export function differenceOf(
  { check, old, next }: Decided,
  changedIds: ReadonlySet<string>,
): Difference | null {
  const all = [...old.executions, ...next.executions];
  if (all.some(({ status }) => status === 'skipped' || status === 'lost')) return null;
  const own = ({ executions }: ReplayedCheck) =>
    executions.filter(({ workflowId }) => changedIds.has(workflowId));
  const resultsOf = (side: ReplayedCheck) =>
    JSON.stringify(
      own(side)
        .map(({ workflowId, success, result }) => [workflowId, success, result])
        .sort(),
    );
  const failure = own(next).find(
    ({ workflowId, success }) =>
      !success && !own(old).some((run) => run.workflowId === workflowId && !run.success),
  );
  const isSame = resultsOf(old) === resultsOf(next) || old.features === next.features;
  const kind =
    !isSame && old.isDenied !== next.isDenied
      ? next.isDenied
        ? 'denied'
        : 'allowed'
      : failure !== undefined
        ? 'fails'
        : isSame
          ? null
          : 'changes';
  return { check, kind, reason: failure?.diagnosticMessages[0] ?? null };
}
