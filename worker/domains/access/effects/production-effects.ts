/** The access pipeline's effects in the Worker: the isolate's cache, D1, ledger objects and workflows. */
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { LoadableCode } from '#contracts/internal/workflow-run';
import type {
  AccessEffects,
  WorkflowCheck,
  WorkflowRuns,
  WorkflowSubject,
} from '#engine/access/access-effects';
import type { ArtifactWorkflow } from '#engine/artifacts/artifact-content';
import { LOAD_MS } from '#engine/outages/budget';
import { nearestLocation } from '#engine/regions/nearest-location';
import { systemClock } from '#runtime/clock';
import { log } from '#runtime/log';
import { readInTime } from '#worker/db/read-in-time';
import { cacheFacts, getCachedFacts, recallFacts } from '#worker/domains/customer-facts/customer-facts-cache';
import { takeNewCustomer } from '#worker/domains/customer-facts/limit-new-customers';
import { loadFactsOfMany } from '#worker/domains/customer-facts/load-customer-facts';
import { callLedger } from '#worker/domains/metering/call-ledger';
import { readUsage, recallLastUsage, recallUsage } from '#worker/domains/metering/read-usage';
import {
  type PreparedWorkflows,
  preparedWorkflowsOf,
  withTried,
} from '#worker/domains/workflows/prepared-workflows';
import { WorkflowRuns as CheckRuns } from '#worker/domains/workflows/run-workflows';
import { customerOf } from '#worker/domains/workflows/workflow-input';
import type { Env } from '#worker/env';

const NO_CUSTOMERS: ReadonlyMap<string, CustomerFacts> = new Map();
const effectsByEnv = new WeakMap<Env, AccessEffects>();

/** Created once per isolate. */
export function accessEffects(env: Env): AccessEffects {
  let effects = effectsByEnv.get(env);
  if (effects === undefined) {
    effects = newEffects(env);
    effectsByEnv.set(env, effects);
  }
  return effects;
}

function newEffects(env: Env): AccessEffects {
  return {
    facts: {
      getCached: getCachedFacts,
      recall: recallFacts,
      cache: cacheFacts,
      async load(snapshot, customer, endsAt) {
        return (await loadFacts(env, snapshot, [customer], endsAt)).get(customer) ?? null;
      },
    },
    ledger: {
      recall: recallUsage,
      recallLast: recallLastUsage,
      read: (snapshot, request) => readUsage(env, snapshot, request),
      count: (snapshot, request) => callLedger(env, snapshot, request),
      async pushFacts(snapshot, { loaded, ...push }) {
        const facts = { version: loaded.facts.version, loaded };
        try {
          await callLedger(env, snapshot, { ...push, updates: [], reads: [], facts });
        } catch (error) {
          const { environmentId } = snapshot;
          log.warn('customer facts could not be pushed to the ledger of an alias', { environmentId, error });
        }
      },
    },
    workflows: {
      has: ({ content }) => content.workflows.length > 0,
      start: (check) => startWorkflows(env, check),
    },
  };
}

/**
 * The facts of these customers from the database, read together. Those whose facts cannot be read are left out, and those beyond the pace of
 * new customers. Never throws.
 * @param endsAt when the call's budget ends, epoch milliseconds
 */
export async function loadFacts(
  env: Env,
  { orgId, environmentId }: EnvironmentSnapshot,
  customers: readonly string[],
  endsAt: number | undefined,
): Promise<ReadonlyMap<string, CustomerFacts>> {
  const now = systemClock.now();
  const admitted = customers.filter(() => takeNewCustomer(orgId, now));
  if (admitted.length === 0) return NO_CUSTOMERS;
  try {
    return await readInTime(env.DB, LOAD_MS, endsAt, (db) =>
      loadFactsOfMany(db, { orgId }, environmentId, admitted),
    );
  } catch (error) {
    log.warn('customer facts could not be loaded', { environmentId, error });
    return NO_CUSTOMERS;
  }
}

function startWorkflows(env: Env, check: WorkflowCheck): WorkflowRuns | null {
  return runsOf(env, check, preparedWorkflowsOf(check.loaded), null);
}

/** Effects of a check in which this workflow's code takes the place of the deployed code. Nothing is remembered. */
export function trialEffects(env: Env, workflow: ArtifactWorkflow, code: LoadableCode): AccessEffects {
  return {
    ...accessEffects(env),
    workflows: {
      has: () => true,
      start: (check) => runsOf(env, check, withTried(check.loaded, workflow, code), workflow.id),
    },
  };
}

/** @param triedId the workflow that is tried, which runs even where it is disabled; null in checks of deployed code */
function runsOf(
  env: Env,
  { loaded: { snapshot, prepared }, identity, place, context, now, seed }: WorkflowCheck,
  workflows: PreparedWorkflows | null,
  triedId: string | null,
): WorkflowRuns | null {
  if (prepared === null || workflows === null) return null;
  const { orgId, environmentId, locations, disabledWorkflowIds } = snapshot;
  const { isAuthenticated, method, identifier } = identity;
  const { country, city, continent } = place;
  const runs = new CheckRuns(env, {
    orgId,
    environmentId,
    prepared,
    workflows,
    context,
    now,
    seed,
    isTrial: triedId !== null,
    disabledIds: (disabledWorkflowIds ?? []).filter((id) => id !== triedId),
    identity: { isAuthenticated, method, identifier },
    place: { country, city, continent, location: nearestLocation(place, locations) },
  });
  const customerOfSubject = ({ customer, facts, plans }: WorkflowSubject) =>
    customerOf({ identifier, customer, facts, rules: snapshot, now }, plans);
  return {
    provision: (subject) => runs.provision(customerOfSubject(subject)),
    behave: (subject, ...values) => runs.behave(customerOfSubject(subject), ...values),
    get elapsedMs() {
      return runs.elapsedMs;
    },
    get executions() {
      return runs.executions;
    },
  };
}
