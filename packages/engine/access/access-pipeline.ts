/**
 * The decision core behind access checks, consuming checks, counter updates, the console's test check and its customer page:
 *
 *   identify → load customer facts → provision* → resolve → read or count usage → behave* → render → record
 *
 * `runAccessPipeline` runs the stages up to behave, one function each and in this order below; its callers differ in their options,
 * render the result and record it.
 * Stages marked * run customers' workflow code. A check that needs neither a ledger nor workflows completes synchronously.
 * Every stage returns its warnings. See worker/domains/access/README.md, "Access pipeline".
 */

import { callWarningOf } from '#contracts/public/call-warnings';
import type { Warning } from '#contracts/public/subjects';
import { anchorWindows } from '../entitlements/anchor-windows.ts';
import { factsForEntity } from '../entitlements/facts-for-entity.ts';
import { factsForIdentifier } from '../entitlements/namesakes.ts';
import { NO_FACTS } from '../entitlements/no-facts.ts';
import { overrideValues } from '../entitlements/override-values.ts';
import type { AccessEffects, Provisioned, WorkflowRuns } from './access-effects.ts';
import type { AccessRequest, AccessResult } from './access-request.ts';
import { admitCount } from './admit-count.ts';
import { combineWarnings } from './combine-warnings.ts';
import { ambiguityWarnings } from './customer-names.ts';
import { type IdentifiedSubject, type Identity, identifySubject } from './identify-subject.ts';
import { type AccessRun, askLedger, type Resolved, recallUsage, sendsFacts } from './ledger-rounds.ts';
import { type KnownFacts, type ResolvedSubject, resolveSubject } from './resolve-subject.ts';
import { factsFromCache } from './search-facts.ts';

const NONE: readonly never[] = [];
const NO_CONTEXT = {};
const ENTITY_NEEDS_SECRET_KEY = callWarningOf('entity-needs-secret-key');

const ANONYMOUS: KnownFacts = { customer: null, facts: NO_FACTS };

/**
 * @throws {ApiError} invalid-request, forbidden, conflict or unavailable: without a ledger nothing is counted, and a reading is
 * unavailable only if the ledger is overloaded and the isolate lacks an earlier one of a meter
 */
export function runAccessPipeline(
  effects: AccessEffects,
  asked: AccessRequest,
): AccessResult | Promise<AccessResult> {
  const identified = identify(asked);
  const entityId = entityOf(asked);
  const request = entityId === asked.entityId ? asked : { ...asked, entityId };
  const { identity } = identified;
  const count = request.count === undefined ? null : admitCount(request, request.count, identified);
  const only = request.features === undefined ? undefined : new Set(request.features);
  const known = loadCustomerFacts(effects, request, identity);
  const workflows = startWorkflows(effects, request, identity);
  if (workflows !== null) {
    return runWithWorkflows({ effects, request, identified, only, count, workflows }, workflows, known);
  }
  const subject = resolveSubject(request, identity, only, known);
  if (count === null && !needsLedger(request, subject)) return withoutUsage(identified, subject, NONE);
  const run = { effects, request, identified, only, count, workflows };
  return readOrCountUsage(run, subject as ResolvedSubject<string>, NONE);
}

async function runWithWorkflows(
  run: AccessRun,
  workflows: WorkflowRuns,
  known: KnownFacts,
): Promise<AccessResult> {
  const { request, identified, count } = run;
  const { subject, warnings } = await provisionAndResolve(run, workflows, known);
  const isMeasured = count !== null || needsLedger(request, subject);
  const measured = isMeasured
    ? await readOrCountUsage(run, subject as ResolvedSubject<string>, warnings)
    : withoutUsage(identified, subject, warnings);
  return behave(request, workflows, measured);
}

/** Null if none run in this check. */
function startWorkflows(
  { workflows }: AccessEffects,
  { loaded, place, context = NO_CONTEXT, now, seed = '', workflowNow = now }: AccessRequest,
  identity: Identity,
): WorkflowRuns | null {
  if (loaded.prepared === null || !workflows.has(loaded.prepared)) return null;
  return workflows.start({ loaded, identity, now: workflowNow, place, context, seed });
}

/** Whom the call is for: as a server says, or as a token does; of a hold, whom that is of. */
function entityOf({ entityId, keyType, verdict, count }: AccessRequest): string | undefined {
  if (count?.at !== undefined) return count.at.entity;
  if (entityId !== undefined && keyType === 'secret') return entityId;
  return typeof verdict === 'object' ? verdict.entity : undefined;
}

function identify(request: AccessRequest): IdentifiedSubject {
  const identified = identifySubject(request, request.verdict, request.keyType);
  if (request.entityId === undefined || request.entityId === entityOf(request)) return identified;
  return { ...identified, warnings: [...identified.warnings, ENTITY_NEEDS_SECRET_KEY] };
}

function loadCustomerFacts(
  effects: AccessEffects,
  { loaded, known, now }: AccessRequest,
  { identifier }: Identity,
): KnownFacts {
  if (known !== undefined) return known;
  return identifier === null ? ANONYMOUS : factsFromCache(effects, loaded.snapshot, identifier, now);
}

/** @param before the subject without plans from workflows */
function provision(
  workflows: WorkflowRuns,
  { customer, facts, resolution }: ResolvedSubject,
): Promise<Provisioned> {
  return workflows.provision({ customer, facts, plans: resolution?.planSlugs ?? NONE });
}

async function provisionAndResolve<Customer extends string | null>(
  { request, identified: { identity }, only }: AccessRun,
  workflows: WorkflowRuns,
  known: KnownFacts<Customer>,
): Promise<Resolved<Customer>> {
  const before = resolveSubject(request, identity, only, known);
  const { plans, warnings } = await provision(workflows, before);
  const subject = plans.length === 0 ? before : resolveSubject(request, identity, only, known, plans);
  return { subject, warnings };
}

/** For the facts that a ledger knows better. */
function resolveAgain(
  run: AccessRun,
  known: KnownFacts<string>,
): Resolved<string> | Promise<Resolved<string>> {
  const { request, identified, only, workflows } = run;
  if (workflows !== null) return provisionAndResolve(run, workflows, known);
  return { subject: resolveSubject(request, identified.identity, only, known), warnings: NONE };
}

/** A ledger is needed if the answer depends on usage, or if the environment has facts about any customer. */
function needsLedger(request: AccessRequest, subject: ResolvedSubject): boolean {
  if (subject.customer === null || subject.resolution === null) return false;
  const isUsageRead = subject.isMetered || (request.isUsageShown === true && subject.reads.length > 0);
  return isUsageRead || sendsFacts(request);
}

/** Completes synchronously if the isolate remembers the readings. */
function readOrCountUsage(
  run: AccessRun,
  subject: ResolvedSubject<string>,
  warnings: readonly Warning[],
): AccessResult | Promise<AccessResult> {
  return recallUsage(run, subject, warnings) ?? askLedger(run, subject, warnings, resolveAgain);
}

function withoutUsage(
  { identity, warnings: identityWarnings }: IdentifiedSubject,
  subject: ResolvedSubject,
  before: readonly Warning[],
): AccessResult {
  const warnings = combineWarnings(before, ambiguityWarnings(identity.identifier, subject));
  return { subject, usage: null, counted: null, identityWarnings, warnings, executions: NONE };
}

async function behave(
  request: AccessRequest,
  workflows: WorkflowRuns,
  measured: AccessResult,
): Promise<AccessResult> {
  const { loaded, now } = request;
  const { subject, usage } = measured;
  const { identity, customer, facts, resolution } = subject;
  if (resolution === null) return measured;
  const plans = resolution.planSlugs;
  const behaviour = await workflows.behave({ customer, facts, plans }, resolution, usage?.readings ?? null);
  const { resolution: own } = overrideValues(resolution, behaviour.overrides);
  const theirs = factsForEntity(factsForIdentifier(facts, identity.identifier), request.entityId);
  const behaved = own === resolution ? own : anchorWindows(own, theirs, loaded.snapshot, now);
  return {
    ...measured,
    subject: { ...subject, resolution: behaved },
    warnings: combineWarnings(measured.warnings, behaviour.warnings),
    executions: workflows.executions,
    workflowsMs: workflows.elapsedMs,
  };
}
