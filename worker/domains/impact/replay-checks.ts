/**
 * What a changed workflow would decide differently: the last recorded checks that ran it, decided by both versions (access/replay-check.ts).
 * A check differs if a changed workflow's result does, and its values or verdicts with it: what plans alone change is compared for
 * all customers (read-impact.ts). Nothing is recorded or counted.
 */
import { MAX_REPLAYED_CHECKS, type Replay } from '#contracts/console/impact';
import type { RecordedCheck } from '#contracts/internal/recorded-check';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { type ReplayedCheck, recordedInput, replayCheck } from '#worker/domains/access/replay-check';
import { loadFactsOfMany } from '#worker/domains/customer-facts/load-customer-facts';
import { readRecordedChecks } from '#worker/domains/events/reads';
import { type LoadedEnvironment, load } from '#worker/domains/snapshots/snapshot-cache';
import { makeLoadableCode } from '#worker/domains/workflow-code/make-loadable-code';
import { limitTrialCode, limitTrialRun } from '#worker/domains/workflows/limit-trial-runs';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { changedWorkflows } from './changed-workflows.ts';
import { findVersions } from './find-versions.ts';
import { type Difference, summariseReplay } from './summarise-replay.ts';

/** For reading and deciding all checks. */
const BUDGET_MS = 5_000;
/** Checks at once: runs of one dynamic worker take turns, but their calls need not wait for each other. */
const AT_ONCE = 5;

/** @param toArtifactId undefined: the workspace @throws {ApiError} not-found; rate-limited as any code that a member runs */
export async function replayChecks(
  ctx: RequestContext,
  scope: Scope,
  environmentId: string,
  toArtifactId: string | undefined,
): Promise<Replay> {
  const until = ctx.clock() + BUDGET_MS;
  const { from, to, rules } = await findVersions(ctx, scope, environmentId, toArtifactId);
  const changed = from === null ? [] : changedWorkflows(from.content, to.content);
  const known = changed.filter(({ isNew }) => !isNew);
  const names = {
    workflows: known.map(({ name }) => name),
    newWorkflows: changed.filter(({ isNew }) => isNew).map(({ name }) => name),
  };
  if (from === null || known.length === 0) return summariseReplay(names, [], []);
  const workflowIds = known.map(({ id }) => id);
  const checks = await readRecordedChecks(
    ctx,
    scope,
    { environmentId: rules.environmentId, workflowIds },
    MAX_REPLAYED_CHECKS,
    until,
  );
  if (checks.length === 0) return summariseReplay(names, checks, []);
  const [before, after] = await Promise.all([
    asEnvironment(rules, from.content, ctx.now),
    asEnvironment(rules, to.content, ctx.now),
  ]);
  await limitTrialRun(ctx, scope, codeHash(after));
  await limitTrialCode(ctx, scope, codeHash(before));
  const customers = checks.flatMap(({ subjectIdentifier }) => subjectIdentifier ?? []);
  const facts = await loadFactsOfMany(ctx.db, scope, rules.environmentId, [...new Set(customers)]);
  const ids = new Set(changed.map(({ id }) => id));
  const decide = async (check: RecordedCheck): Promise<Difference | null> => {
    const input = recordedInput(check);
    if (input === null || ctx.clock() >= until) return null;
    const theirs = facts.get(check.subjectIdentifier ?? '');
    const old = await replayCheck(ctx, before, check, input, theirs);
    const next = await replayCheck(ctx, after, check, input, theirs);
    return differenceOf(check, old, next, ids);
  };
  const decided: Difference[] = [];
  for (let start = 0; start < checks.length && ctx.clock() < until; start += AT_ONCE) {
    const some = await Promise.all(checks.slice(start, start + AT_ONCE).map(decide));
    decided.push(...some.filter((each) => each !== null));
  }
  return summariseReplay(names, checks, decided);
}

/** The environment as if it ran this version, and none of its workflows were disabled. */
async function asEnvironment(
  rules: EnvironmentSnapshot,
  content: ArtifactContent,
  now: number,
): Promise<LoadedEnvironment> {
  const code = await makeLoadableCode(content.workflows);
  const artifact = {
    id: '',
    number: null,
    hash: code.hash,
    content: JSON.stringify(content),
    workflowCode: { hash: code.hash, text: JSON.stringify(code) },
  };
  return load({ ...rules, artifact }, null, now);
}

function codeHash({ workflowCode }: LoadedEnvironment): string {
  return workflowCode?.hash ?? '';
}

/** Null if a workflow could not run, whatever its code does. */
function differenceOf(
  check: RecordedCheck,
  old: ReplayedCheck,
  next: ReplayedCheck,
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
