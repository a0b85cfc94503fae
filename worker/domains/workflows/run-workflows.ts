/**
 * Runs the workflows of one access check. All its runs share 250 ms of wall time; workflows of one stage run side by side.
 * Nothing here throws: a workflow that fails is left out, with a warning and an execution that says why. See
 * README.md of this folder.
 */
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type {
  LoadableCode,
  PlannedRun,
  RunOutcome,
  WorkflowCustomer,
  WorkflowInput,
} from '#contracts/internal/workflow-run';
import type { Warning } from '#contracts/public/subjects';
import { type WarningCode, warningOf } from '#contracts/public/warnings';
import type { ArtifactWorkflow } from '#engine/artifacts/artifact-content';
import { BoundedCache } from '#engine/cache/bounded-cache';
import { type ValueOverride, workflowSource } from '#engine/entitlements/override-values';
import type { ProvisionedPlans } from '#engine/entitlements/plans-of';
import type { PreparedArtifact } from '#engine/entitlements/prepared-artifact';
import type { Readings } from '#engine/entitlements/render-features';
import type { Resolution } from '#engine/entitlements/resolution';
import {
  runTrial,
  runWorkflowCode,
  TRIAL_TIMEOUT_MS,
  trialOwner,
} from '#worker/domains/workflow-code/sandbox/run-workflow-code';
import { RunnerError } from '#worker/domains/workflow-code/sandbox/runner-error';
import { type Env, settingsOf } from '#worker/env';
import { executionOf } from './execution-of.ts';
import { codeOfOne, type PreparedWorkflows } from './prepared-workflows.ts';
import { readBehaviour, readProvisioning } from './read-results.ts';
import { featureOf } from './workflow-input.ts';

/** Wall time for all workflows of a check. */
const CHECK_BUDGET_MS = 250;
const SEPARATE_FOR_MS = 60_000;
/** Most warnings about the result of one workflow. */
const MAX_WARNINGS = 5;
const NOT_RUN: Omit<RunOutcome, 'workflowId'> = {
  status: 'skipped',
  result: null,
  logs: [],
  wallTime: 0,
  reason: 'The workflow did not start in time',
};

export interface WorkflowCheck {
  readonly orgId: string;
  readonly environmentId: string;
  readonly prepared: PreparedArtifact;
  readonly workflows: PreparedWorkflows;
  /** IDs of the workflows that are disabled in the environment. */
  readonly disabledIds: readonly string[];
  readonly identity: WorkflowInput['identity'];
  readonly place: WorkflowInput['place'];
  readonly context: WorkflowInput['context'];
  /** Epoch milliseconds. */
  readonly now: number;
  /** Seed of Math.random. */
  readonly seed: string;
  /** Code that a person tries: it has longer, and nothing is counted. */
  readonly isTrial: boolean;
}

/** One workflow of a stage, as planned. */
interface Planned {
  readonly workflow: ArtifactWorkflow;
  readonly run: PlannedRun;
}

interface Finished {
  readonly workflow: ArtifactWorkflow;
  /** Undefined if the workflow did not end by itself. */
  readonly result: { readonly value: unknown } | undefined;
}

/**
 * Environments in which an isolate broke with several workflows in it, and until when each runs alone, in an isolate of its own, so that
 * the next kill has a cause.
 */
const separateUntil = new BoundedCache<string, number>(1_000);

export class WorkflowRuns {
  readonly #env: Env;
  readonly #check: WorkflowCheck;
  readonly #executions = new Map<string, WorkflowExecution>();
  readonly #warnings: Warning[] = [];
  #remainingMs: number;
  #elapsedMs = 0;
  /** Workflows could not run, which the answer says once. */
  #isUnavailable = false;

  constructor(env: Env, check: WorkflowCheck) {
    this.#env = env;
    this.#check = check;
    this.#remainingMs = check.isTrial
      ? TRIAL_TIMEOUT_MS
      : CHECK_BUDGET_MS + settingsOf(env).workflowPatienceMs;
  }

  /** One for each workflow that ran; a repeated run replaces the one before. */
  get executions(): readonly WorkflowExecution[] {
    return [...this.#executions.values()];
  }

  /** Milliseconds of wall time spent on running workflows so far. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  async provision(
    customer: WorkflowCustomer,
  ): Promise<{ plans: readonly ProvisionedPlans[]; warnings: readonly Warning[] }> {
    const { prepared, workflows } = this.#check;
    const planned = workflows.provisioning.map((workflow) => ({
      workflow,
      run: { workflowId: workflow.id },
    }));
    const plans: ProvisionedPlans[] = [];
    for (const { workflow, result } of await this.#run(planned, customer)) {
      if (result === undefined) continue;
      const read = readProvisioning(result.value, prepared, workflow.name);
      if (read.plans !== null) plans.push(read.plans);
      this.#dropParts(workflow, read.problems);
    }
    return { plans, warnings: this.#takeWarnings() };
  }

  async behave(
    customer: WorkflowCustomer,
    resolution: Resolution,
    readings: Readings | null,
  ): Promise<{ overrides: readonly ValueOverride[]; warnings: readonly Warning[] }> {
    const { workflows, now } = this.#check;
    const features = new Map(workflows.behaviours.map(({ workflow, feature }) => [workflow.id, feature]));
    const planned = workflows.behaviours.map(({ workflow, feature }) => ({
      workflow,
      run: { workflowId: workflow.id, feature: featureOf(feature, resolution, readings, now) },
    }));
    const overrides: ValueOverride[] = [];
    for (const { workflow, result } of await this.#run(planned, customer)) {
      const feature = features.get(workflow.id);
      if (result === undefined || feature === undefined) continue;
      const read = readBehaviour(result.value, feature, workflowSource(workflow.name));
      overrides.push(...read.overrides);
      this.#dropParts(workflow, read.problems);
    }
    return { overrides, warnings: this.#takeWarnings() };
  }

  async #run(all: readonly Planned[], customer: WorkflowCustomer): Promise<readonly Finished[]> {
    const { disabledIds, environmentId, identity, place, context, now, workflows } = this.#check;
    const planned = all.filter(({ workflow }) => !disabledIds.includes(workflow.id));
    for (const { workflow } of all) {
      if (disabledIds.includes(workflow.id)) this.#warn('workflow-disabled', workflow.name);
    }
    if (planned.length === 0) return [];
    const input: WorkflowInput = { identity, customer, place, context, now };
    const startedAt = performance.now();
    const finished: Finished[] = [];
    if ((separateUntil.get(environmentId) ?? 0) <= now) {
      finished.push(...(await this.#runTogether(planned, workflows.code, input)));
    } else {
      for (const each of planned) {
        const code = codeOfOne(workflows.code, each.workflow.id);
        finished.push(...(await this.#runTogether([each], code, input)));
      }
    }
    this.#elapsedMs += performance.now() - startedAt;
    return finished;
  }

  async #runTogether(
    planned: readonly Planned[],
    code: LoadableCode,
    input: WorkflowInput,
  ): Promise<readonly Finished[]> {
    const outcomes = await this.#ask(planned, code, input);
    return planned.map(({ workflow, run }) => {
      const found = outcomes.find(({ workflowId }) => workflowId === workflow.id);
      const outcome = found ?? { ...NOT_RUN, workflowId: workflow.id };
      this.#record(workflow, run, outcome, input);
      this.#judge(workflow, outcome);
      return { workflow, result: outcome.status === 'done' ? { value: outcome.result } : undefined };
    });
  }

  /** Never throws. */
  async #ask(
    planned: readonly Planned[],
    code: LoadableCode,
    input: WorkflowInput,
  ): Promise<readonly RunOutcome[]> {
    const { orgId, environmentId, isTrial, seed } = this.#check;
    const timeoutMs = this.#remainingMs;
    if (timeoutMs <= 0) return [];
    const owner = isTrial ? trialOwner(orgId) : environmentId;
    const request = { owner, code, runs: planned.map(({ run }) => run), input, seed, timeoutMs };
    const startedAt = Date.now();
    try {
      return await (isTrial ? runTrial(this.#env, request) : runWorkflowCode(this.#env, request));
    } catch (error) {
      if (!(error instanceof RunnerError)) throw error;
      if (!error.hasStarted && !this.#isUnavailable) this.#warn('workflows-unavailable');
      this.#isUnavailable ||= !error.hasStarted;
      return planned.map(({ workflow }) => ({
        ...NOT_RUN,
        workflowId: workflow.id,
        status: error.hasStarted ? 'lost' : 'skipped',
        reason: whyLost(error, timeoutMs),
        wallTime: Date.now() - startedAt,
      }));
    } finally {
      this.#remainingMs -= Date.now() - startedAt;
    }
  }

  #record(
    { name }: ArtifactWorkflow,
    { feature }: PlannedRun,
    outcome: RunOutcome,
    input: WorkflowInput,
  ): void {
    const { now, seed } = this.#check;
    const received = feature === undefined ? input : { ...input, feature };
    this.#executions.set(outcome.workflowId, executionOf(outcome, { name, input: received, seed, now }));
  }

  /** What an outcome means for the answer, and for the next runs of this isolate. The event stream counts kills. */
  #judge({ name }: ArtifactWorkflow, { status }: RunOutcome): void {
    const { environmentId, now, isTrial } = this.#check;
    if (status === 'failed') this.#warn('workflow-failed', name);
    else if (status === 'skipped' && this.#isUnavailable) return;
    else if (status !== 'done') this.#warn('workflow-stopped', name);
    if (status === 'lost' && !isTrial) separateUntil.set(environmentId, now + SEPARATE_FOR_MS);
  }

  #dropParts({ id, name }: ArtifactWorkflow, problems: readonly string[]): void {
    this.#executions.get(id)?.diagnosticMessages.push(...problems);
    for (const problem of problems.slice(0, MAX_WARNINGS)) {
      this.#warn('workflow-result-ignored', `${name}: ${problem}`);
    }
  }

  #warn(code: WarningCode, slug?: string): void {
    this.#warnings.push(warningOf(code, slug));
  }

  #takeWarnings(): readonly Warning[] {
    return this.#warnings.splice(0);
  }
}

/** For the owner of the workflows. The process runs code of everybody on this machine, so the cause is probable, not certain. */
function whyLost({ hasStarted, isLate }: RunnerError, timeoutMs: number): string {
  if (!hasStarted) return 'The workflow runner did not answer';
  if (isLate) return `The workflow did not finish within ${timeoutMs} ms`;
  return 'The local runner stopped during this run, probably because a workflow ran out of memory';
}
