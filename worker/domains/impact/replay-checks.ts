/**
 * What a changed workflow would decide differently: the last recorded checks that ran it, decided by both versions (access/replay-check.ts).
 * A check differs if a changed workflow's result does, and its values or verdicts with it: what plans alone change is compared for
 * all customers (read-impact.ts). Nothing is recorded or counted.
 */
import { MAX_REPLAYED_CHECKS, type Replay } from '#contracts/console/impact';
import type { RecordedCheck } from '#contracts/internal/recorded-check';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { recordedInput, replayCheck } from '#worker/domains/access/tries/replay-check';
import { loadFactsOfMany } from '#worker/domains/customer-facts/load-customer-facts';
import { readRecordedChecks } from '#worker/domains/events/reads';
import { type LoadedEnvironment, load } from '#worker/domains/snapshots/snapshot-cache';
import { makeLoadableCode } from '#worker/domains/workflow-code/make-loadable-code';
import { limitTrialCode, limitTrialRun } from '#worker/domains/workflows/limit-trial-runs';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { changedWorkflows } from './changed-workflows.ts';
import { type Decided, differenceOf, isStopped } from './compare-decisions.ts';
import { findVersions } from './find-versions.ts';
import { type Difference, summariseReplay } from './summarise-replay.ts';

/** For reading and deciding all checks. */
const BUDGET_MS = 5_000;
/** Checks at once: runs of one dynamic worker take turns, but their calls need not wait for each other. */
const AT_ONCE = 20;

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
    asEnvironment(ctx, scope, rules, from.content),
    asEnvironment(ctx, scope, rules, to.content),
  ]);
  await limitTrialRun(ctx, scope, codeHash(after));
  await limitTrialCode(ctx, scope, codeHash(before));
  const customers = checks.flatMap(({ subjectIdentifier }) => subjectIdentifier ?? []);
  const facts = await loadFactsOfMany(ctx.db, scope, rules.environmentId, [...new Set(customers)]);
  const ids = new Set(changed.map(({ id }) => id));
  const decide = async (check: RecordedCheck): Promise<Decided | null> => {
    const input = recordedInput(check);
    if (input === null || ctx.clock() >= until) return null;
    const theirs = facts.get(check.subjectIdentifier ?? '');
    const by = (version: LoadedEnvironment) => replayCheck(ctx, version, check, input, theirs);
    const [old, next] = await Promise.all([by(before), by(after)]);
    return { check, old, next };
  };
  const differences: (Difference | null)[] = [];
  for (let start = 0; start < checks.length && ctx.clock() < until; start += AT_ONCE) {
    const some = checks.slice(start, start + AT_ONCE);
    const together = await Promise.all(some.map(decide));
    const decided = together.some(isStopped) ? await oneByOne(some, decide) : together;
    differences.push(...decided.map((each) => each && differenceOf(each, ids)));
  }
  return summariseReplay(
    names,
    checks,
    differences.filter((each) => each !== null),
  );
}

async function oneByOne(
  checks: readonly RecordedCheck[],
  decide: (check: RecordedCheck) => Promise<Decided | null>,
): Promise<(Decided | null)[]> {
  const decided: (Decided | null)[] = [];
  for (const check of checks) decided.push(await decide(check));
  return decided;
}

/** The environment as if it ran this version, and none of its workflows were disabled. */
async function asEnvironment(
  { env, now }: RequestContext,
  scope: Scope,
  rules: EnvironmentSnapshot,
  content: ArtifactContent,
): Promise<LoadedEnvironment> {
  const code = await makeLoadableCode(env, scope, content.workflows);
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
