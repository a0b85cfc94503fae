/**
 * The decision core behind access checks, consuming checks, counter updates, the console's test check and its customer page:
 *
 *   identify → load customer facts → provision* → resolve → read or count usage → behave* → render → record
 *
 * `runAccessPipeline` covers the stages up to behave; its callers differ in their options, render the result and record it.
 * Stages marked * run customers' workflow code. A check that needs neither a ledger nor workflows completes synchronously.
 * Every stage returns its warnings. See worker/domains/access/README.md, "Access pipeline".
 */

import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import {
  type CallerFacts,
  type CustomerFacts,
  type FactsUpdate,
  NO_FACTS,
} from '#contracts/internal/customer-facts';
import type { UpdateEvent } from '#contracts/internal/ledger';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import type { Warning } from '#contracts/public/subjects';
import { reasonOf, warningOf } from '#contracts/public/warnings';
import { overrideValues } from '#engine/entitlements/override-values';
import { measuredShare } from '#engine/entitlements/usage-reads';
import type { Verdict } from '#worker/domains/identity/verify-token';
import type { LedgerUnavailable } from '#worker/domains/metering/call-ledger';
import type { Count, Counted } from '#worker/domains/metering/count-usage';
import type { Consistency, Usage } from '#worker/domains/metering/read-usage';
import type { LoadedEnvironment } from '#worker/domains/snapshots/snapshot-cache';
import { ApiError, invalidField } from '#worker/http/api-error';
import type { Place } from '#worker/http/place';
import type { AccessEffects, WorkflowRuns } from './access-effects.ts';
import { ambiguityWarnings, notFoundWarnings, secondaryNames } from './customer-names.ts';
import { keyOfHeader } from './idempotency-header.ts';
import { type IdentifiedSubject, identifySubject } from './identify-subject.ts';
import { hasSameReads, type ResolvedSubject, resolveSubject } from './resolve-subject.ts';
import { type FactsRound, FactsSearch, factsFromCache, type LastFacts } from './search-facts.ts';

/** Each round may update a ledger or the isolate. More than four are needed only while somebody edits the customer. */
const MAX_ROUNDS = 8;
const FACTS_UNKNOWN = warningOf('customer-facts-unknown');
const FACTS_STALE = warningOf('customer-facts-stale');
const USAGE_UNKNOWN = warningOf('usage-unknown');
const USAGE_STALE = warningOf('usage-stale');
const USAGE_INCOMPLETE = warningOf('usage-incomplete');
const NONE: readonly never[] = [];
const WITHOUT_LEDGER = { usage: { readings: new Map<never, never>(), location: null }, counted: null };

export interface AccessRequest {
  readonly loaded: LoadedEnvironment;
  readonly keyType: ApiKeyType;
  readonly userIdentifier?: string | undefined;
  /** The result of verifying the request's userJwt; undefined without one. */
  readonly verdict?: Verdict | undefined;
  /** Slugs; undefined: all features. */
  readonly features?: readonly string[] | undefined;
  /** Undefined: local. */
  readonly consistency?: Consistency | undefined;
  readonly place: Place;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Of the random numbers of workflows: the request's id. Undefined: the same numbers for every check. */
  readonly seed?: string | undefined;
  /** The instant that workflows see; undefined: now. A repeated check passes the first one's. */
  readonly workflowNow?: number | undefined;
  /** Read usage also where nothing but its display depends on it: of properties that are on or off. */
  readonly isUsageShown?: boolean | undefined;
  /** Count usage; undefined: read it. */
  readonly count?: CountOptions | undefined;
  /**
   * A customer that the caller has loaded from the database; the ledger is then not queried for facts. It may have a name that
   * calls cannot send.
   */
  readonly known?: KnownCustomer | undefined;
}

export interface KnownCustomer {
  readonly identifier: string;
  readonly customer: string;
  readonly facts: CustomerFacts;
}

export interface CountOptions {
  readonly count: Count;
  /** The request's header Idempotency-Key. */
  readonly idempotencyHeader: string | null;
  /** A counter update is the request itself; `consume` is a part of an access check, and reads all its meters after counting. */
  readonly kind: 'update' | 'consume';
  /** The event of a counter update, stored by the ledger with the count; the pipeline adds what depends on the subject. */
  readonly event?: { readonly id: string; readonly said: UpdateEventBase };
}

export type UpdateEventBase = Omit<
  UpdateEvent,
  'subjectIdentifier' | 'secondarySubjectIdentifiers' | 'planSlugs' | 'warnings'
>;

export interface AccessResult {
  readonly subject: ResolvedSubject;
  /** Null if no ledger was needed. */
  readonly usage: Pick<Usage, 'readings' | 'location'> | null;
  readonly counted: Counted | null;
  readonly identityWarnings: readonly Warning[];
  /** Of the stages after identify. */
  readonly warnings: readonly Warning[];
  /** Of workflows. */
  readonly executions: readonly WorkflowExecution[];
  /** Milliseconds spent on workflows; absent in environments without any. */
  readonly workflowsMs?: number;
}

/**
 * @throws {ApiError} invalid-request, forbidden, conflict or unavailable: without a ledger nothing is counted, and a reading is
 * unavailable only if the ledger is overloaded and the isolate lacks an earlier one of a meter
 */
export function runAccessPipeline(
  effects: AccessEffects,
  request: AccessRequest,
): AccessResult | Promise<AccessResult> {
  const identified = identifySubject(request, request.verdict, request.keyType);
  const { identity, warnings: identityWarnings } = identified;
  const count = request.count === undefined ? null : admitCount(request, request.count, identified);
  const only = request.features === undefined ? undefined : new Set(request.features);
  const { loaded, now, known } = request;
  const { identifier } = identity;
  const cached =
    known ?? (identifier === null ? null : factsFromCache(effects, loaded.snapshot, identifier, now));
  const facts = cached === null ? NO_FACTS : cached.facts;
  const customer = cached === null ? null : cached.customer;
  if (loaded.prepared !== null && effects.workflows.has(loaded.prepared)) {
    const { place, seed = '', workflowNow = now } = request;
    const check = { loaded, identity, now: workflowNow, place, seed };
    const workflows = effects.workflows.start(check);
    if (workflows !== null) {
      return runWithWorkflows(
        { effects, request, identified, only, count, workflows },
        workflows,
        facts,
        customer,
      );
    }
  }
  const subject = resolveSubject(loaded, identity, only, facts, customer, now);
  if (count === null && !needsLedger(request, subject)) {
    const warnings = ambiguityWarnings(identifier, subject);
    return { subject, usage: null, counted: null, identityWarnings, warnings, executions: NONE };
  }
  return measure(
    { effects, request, identified, only, count, workflows: null },
    subject as ResolvedSubject<string>,
    NONE,
  );
}

interface Run {
  readonly effects: AccessEffects;
  readonly request: AccessRequest;
  readonly identified: IdentifiedSubject;
  readonly only: ReadonlySet<string> | undefined;
  readonly count: AdmittedCount | null;
  /** Null if the environment has none. */
  readonly workflows: WorkflowRuns | null;
}

async function runWithWorkflows(
  run: Run,
  workflows: WorkflowRuns,
  facts: CustomerFacts,
  customer: string | null,
): Promise<AccessResult> {
  const { request, identified, count } = run;
  const { subject, warnings } = await provisionAndResolve(run, workflows, facts, customer);
  const isMeasured = count !== null || needsLedger(request, subject);
  const measured = isMeasured
    ? await measure(run, subject as ResolvedSubject<string>, warnings)
    : {
        ...{ subject, usage: null, counted: null, identityWarnings: identified.warnings, executions: NONE },
        warnings: combine(warnings, ambiguityWarnings(identified.identity.identifier, subject)),
      };
  return behave(workflows, measured);
}

interface Resolved<Customer extends string | null> {
  readonly subject: ResolvedSubject<Customer>;
  readonly warnings: readonly Warning[];
}

async function provisionAndResolve<Customer extends string | null>(
  { request, identified, only }: Run,
  workflows: WorkflowRuns,
  facts: CustomerFacts,
  customer: Customer,
): Promise<Resolved<Customer>> {
  const { loaded, now } = request;
  const { identity } = identified;
  const before = resolveSubject(loaded, identity, only, facts, customer, now);
  const plans = before.resolution?.planSlugs ?? NONE;
  const { plans: provisioned, warnings } = await workflows.provision({ customer, facts, plans });
  if (provisioned.length === 0) return { subject: before, warnings };
  return { subject: resolveSubject(loaded, identity, only, facts, customer, now, provisioned), warnings };
}

async function behave(workflows: WorkflowRuns, measured: AccessResult): Promise<AccessResult> {
  const { subject, usage } = measured;
  const { customer, facts, resolution } = subject;
  if (resolution === null) return measured;
  const plans = resolution.planSlugs;
  const behaviour = await workflows.behave({ customer, facts, plans }, resolution, usage?.readings ?? null);
  const overridden = overrideValues(resolution, behaviour.overrides);
  return {
    ...measured,
    subject: { ...subject, resolution: overridden.resolution },
    warnings: combine(measured.warnings, behaviour.warnings),
    executions: workflows.executions,
    workflowsMs: workflows.elapsedMs,
  };
}

/** A ledger is needed if the answer depends on usage, or if the environment has facts about any customer. */
function needsLedger(request: AccessRequest, subject: ResolvedSubject): boolean {
  if (subject.customer === null || subject.resolution === null) return false;
  const isUsageRead = subject.isMetered || (request.isUsageShown === true && subject.reads.length > 0);
  return isUsageRead || sendsFacts(request);
}

/** Completes synchronously if the isolate remembers the readings. */
function measure(
  run: Run,
  subject: ResolvedSubject<string>,
  warnings: readonly Warning[],
): AccessResult | Promise<AccessResult> {
  return recall(run, subject, warnings) ?? askLedger(run, subject, warnings);
}

/** A bounded read of readings that are in memory; null if the ledger must be called. */
function recall(
  run: Run,
  subject: ResolvedSubject<string>,
  warnings: readonly Warning[],
): AccessResult | null {
  const { request, effects, count } = run;
  if (count !== null || request.consistency !== 'bounded') return null;
  const facts = sendsFacts(request) ? { version: subject.facts.version } : undefined;
  const { customer, reads } = subject;
  const readings = effects.ledger.recall(request.loaded.snapshot, {
    customer,
    reads,
    now: request.now,
    facts,
  });
  if (readings === null) return null;
  return finish(run, subject, { usage: { readings, location: null }, counted: null }, warnings);
}

/** Whether ledgers confirm the facts that a check uses. */
function sendsFacts({ loaded: { snapshot }, known }: AccessRequest): boolean {
  return snapshot.hasCustomerFacts === true && known === undefined;
}

/** Reads or counts usage with the facts at hand. The ledger confirms or updates these, and every update starts a new round. */
async function askLedger(
  run: Run,
  first: ResolvedSubject<string>,
  firstWarnings: readonly Warning[],
): Promise<AccessResult> {
  const { effects, request, identified } = run;
  let subject = first;
  let warnings = firstWarnings;
  const search = sendsFacts(request) ? new FactsSearch(effects, factsSubject(request, identified)) : null;
  let round: Pick<FactsRound, 'loaded'> = {};
  for (let rounds = 0; search !== null && rounds < MAX_ROUNDS; rounds++) {
    const { customer, facts } = subject;
    const step = await readOrCount(run, subject, { version: facts.version, loaded: round.loaded }, warnings);
    if (step.failure !== undefined) {
      const last = await search.withoutLedger();
      return answerWithoutLedger(run, await resolveWithLast(run, subject, warnings, last), step.failure);
    }
    warnings = combine(warnings, step.warnings);
    if (step.update === undefined && step.isDone) {
      if (step.isFromLedger) search.confirm(subject);
      return finish(run, subject, step, warnings);
    }
    const next = await search.next(customer, step.update);
    if (next === null) {
      ({ subject, warnings } = await resolveWithLast(run, subject, warnings, search.recall()));
      break;
    }
    const renewed = await resolveAgain(run, next);
    warnings = combine(warnings, renewed.warnings);
    const isAnswered =
      step.update?.kind === 'newer' &&
      step.isDone &&
      next.loaded === undefined &&
      next.customer === customer &&
      hasSameReads(subject, renewed.subject);
    subject = renewed.subject;
    if (isAnswered) return finish(run, subject, step, warnings);
    round = next;
  }
  const step = await readOrCount(run, subject, undefined, warnings);
  if (step.failure !== undefined) return answerWithoutLedger(run, { subject, warnings }, step.failure);
  if (!step.isDone) throw new Error('A ledger that was sent no facts answered that they are outdated');
  return finish(run, subject, step, combine(warnings, step.warnings));
}

/** The subject with the facts that are left where no ledger has confirmed any. @param last null: there are none */
async function resolveWithLast(
  run: Run,
  subject: ResolvedSubject<string>,
  warnings: readonly Warning[],
  last: LastFacts | null,
): Promise<Resolved<string>> {
  if (last === null) return { subject, warnings: combine(warnings, [FACTS_UNKNOWN]) };
  const { customer, facts, isStale } = last;
  const isSameSubject = facts === subject.facts && customer === subject.customer;
  const renewed = isSameSubject ? { subject, warnings: NONE } : await resolveAgain(run, last);
  const all = combine(warnings, renewed.warnings);
  return { subject: renewed.subject, warnings: isStale ? combine(all, [FACTS_STALE]) : all };
}

/**
 * Each meter is as the isolate has read it last. One that it has never read is unused in an outage, which allows more than it should;
 * an overloaded ledger is no reason for that.
 */
function answerWithoutLedger(
  run: Run,
  { subject, warnings }: Resolved<string>,
  failure: LedgerUnavailable,
): AccessResult {
  const { snapshot } = run.request.loaded;
  const { customer, reads, isMetered, resolution, only } = subject;
  // The usage of what is on or off decides nothing.
  if (!isMetered || resolution === null) return finish(run, subject, WITHOUT_LEDGER, warnings);
  const readings = run.effects.ledger.recallLast(snapshot, { customer, reads, now: run.request.now });
  const share = measuredShare(resolution, only, readings);
  if (share !== 'all' && failure.isOverloaded) throw failure;
  if (share === 'none') return finish(run, subject, WITHOUT_LEDGER, combine(warnings, [USAGE_UNKNOWN]));
  const step = { ...WITHOUT_LEDGER, usage: { readings, location: null } };
  const said = share === 'all' ? [USAGE_STALE] : [USAGE_STALE, USAGE_UNKNOWN];
  return finish(run, subject, step, combine(warnings, said));
}

function factsSubject({ loaded, place, consistency, now }: AccessRequest, { identity }: IdentifiedSubject) {
  const { identifier } = identity;
  if (identifier === null) throw new Error('An anonymous subject has no ledger');
  return { snapshot: loaded.snapshot, identifier, place, isStrict: consistency === 'strict', now };
}

function resolveAgain(
  run: Run,
  { facts, customer }: Pick<FactsRound, 'facts' | 'customer'>,
): Resolved<string> | Promise<Resolved<string>> {
  const { request, identified, only, workflows } = run;
  if (workflows !== null) return provisionAndResolve(run, workflows, facts, customer);
  const subject = resolveSubject(request.loaded, identified.identity, only, facts, customer, request.now);
  return { subject, warnings: NONE };
}

/** One call of a ledger. */
interface LedgerStep {
  readonly usage: Pick<Usage, 'readings' | 'location'> | null;
  readonly counted: Counted | null;
  /** False: the ledger did nothing, because other facts apply. */
  readonly isDone: boolean;
  readonly update: FactsUpdate | undefined;
  /** False: the readings are from memory, or there are none. */
  readonly isFromLedger: boolean;
  /** No ledger answered. */
  readonly failure?: LedgerUnavailable | undefined;
  readonly warnings: readonly Warning[];
}

async function readOrCount(
  { effects, request, identified, count }: Run,
  subject: ResolvedSubject<string>,
  facts: CallerFacts | undefined,
  warnings: readonly Warning[],
): Promise<LedgerStep> {
  const { loaded, place, now, consistency = 'local' } = request;
  const { snapshot } = loaded;
  const { customer, reads, resolution } = subject;
  if (count === null) {
    const usage = await effects.ledger.read(snapshot, { customer, place, reads, now, consistency, facts });
    const { factsUpdate: update, location, failure } = usage;
    return {
      usage,
      failure,
      counted: null,
      isDone: true,
      update,
      isFromLedger: location !== null,
      warnings: usage.warnings,
    };
  }
  if (resolution === null) throw nothingDeployed(count.path);
  const isStrict = consistency === 'strict';
  const isConsuming = count.kind === 'consume';
  const counted = await effects.ledger.count(snapshot, resolution, count.count, count.path, {
    customer,
    place,
    isStrict,
    now,
    facts,
    reads: isConsuming ? reads : NONE,
    event: count.event && eventOf(count.event, request, identified, subject, warnings),
  });
  if ('outdated' in counted) {
    const update = counted.outdated;
    return { usage: null, counted: null, isDone: false, update, isFromLedger: true, warnings: NONE };
  }
  const { location, isWhole } = counted.report;
  return {
    counted,
    isDone: true,
    update: undefined,
    isFromLedger: true,
    usage: { readings: counted.readings, location },
    warnings: isConsuming && !isWhole ? [...counted.warnings, USAGE_INCOMPLETE] : counted.warnings,
  };
}

function eventOf(
  { id, said }: NonNullable<CountOptions['event']>,
  { loaded: { snapshot } }: AccessRequest,
  { identity: { identifier }, warnings: identityWarnings }: IdentifiedSubject,
  subject: ResolvedSubject<string>,
  warnings: readonly Warning[],
): { readonly id: string; readonly said: UpdateEvent } {
  return {
    id,
    said: {
      ...said,
      subjectIdentifier: subject.customer,
      secondarySubjectIdentifiers: secondaryNames(identifier ?? subject.customer, subject),
      planSlugs: subject.resolution?.planSlugs ?? NONE,
      warnings: [
        ...identityWarnings,
        ...warnings,
        ...ambiguityWarnings(identifier, subject),
        ...notFoundWarnings(snapshot, identifier, subject, warnings),
      ],
    },
  };
}

function finish(
  { request: { loaded, known }, identified }: Run,
  subject: ResolvedSubject,
  { usage, counted }: Pick<LedgerStep, 'usage' | 'counted'>,
  warnings: readonly Warning[],
): AccessResult {
  const { identifier } = identified.identity;
  const notFound =
    known === undefined ? notFoundWarnings(loaded.snapshot, identifier, subject, warnings) : NONE;
  const identityWarnings = identified.warnings;
  const further = combine(ambiguityWarnings(identifier, subject), notFound);
  return {
    subject,
    usage,
    counted,
    identityWarnings,
    warnings: combine(warnings, further),
    executions: NONE,
  };
}

interface AdmittedCount {
  readonly kind: CountOptions['kind'];
  readonly count: Count;
  readonly event: CountOptions['event'] | undefined;
  /** Of the count in the request's body. */
  readonly path: '' | 'consume';
}

/** @throws {ApiError} if usage cannot be counted with this key, for this subject, or in this environment */
function admitCount(
  { keyType, loaded, verdict }: AccessRequest,
  { kind, count, event, idempotencyHeader }: CountOptions,
  { identity, warnings }: IdentifiedSubject,
): AdmittedCount {
  const path = kind === 'update' ? '' : 'consume';
  if (keyType !== 'secret') throw new ApiError('forbidden', 'Counting usage requires a secret key');
  if (identity.identifier === null) {
    const [why] = warnings;
    if (kind === 'update')
      throw invalidField('userJwt', why === undefined ? 'Cannot be verified' : reasonOf(why));
    if (verdict !== undefined && why !== undefined) throw invalidField('userJwt', reasonOf(why));
    throw invalidField(
      'consume',
      'Requires a userIdentifier or a valid userJwt. Anonymous sessions have no usage.',
    );
  }
  if (loaded.prepared === null) throw nothingDeployed(path);
  const field = path === '' ? 'idempotencyKey' : `${path}.idempotencyKey`;
  const idempotencyKey = keyOfHeader(idempotencyHeader, count.idempotencyKey, field);
  return { kind, path, event, count: { ...count, idempotencyKey } };
}

function nothingDeployed(path: string): ApiError {
  const field = path === '' ? 'feature' : `${path}.feature`;
  return invalidField(field, 'Nothing is deployed to this environment yet');
}

/** Each warning once, in the order of the stages. */
function combine(warnings: readonly Warning[], more: readonly Warning[]): readonly Warning[] {
  if (more.length === 0) return warnings;
  if (warnings.length === 0) return more;
  return [...warnings, ...more.filter((each) => !warnings.some((known) => isSame(known, each)))];
}

function isSame(one: Warning, other: Warning): boolean {
  return one.code === other.code && one.message === other.message;
}
