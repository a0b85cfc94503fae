/** The stage that reads or counts usage: from the isolate's memory, or from the customer's ledger in as many rounds as facts need. */
import type { CallerFacts, FactsUpdate } from '#contracts/internal/customer-facts';
import type { Warning } from '#contracts/public/subjects';
import { warningOf } from '#contracts/public/warnings';
import { measuredShare } from '../entitlements/usage-reads.ts';
import { readingKey } from '../metering/reading-key.ts';
import type { AccessEffects, WorkflowRuns } from './access-effects.ts';
import type { AccessRequest, AccessResult } from './access-request.ts';
import { type AdmittedCount, nothingDeployed } from './admit-count.ts';
import { combineWarnings } from './combine-warnings.ts';
import { type Counted, countUsage } from './count-usage.ts';
import { ambiguityWarnings, notFoundWarnings } from './customer-names.ts';
import type { IdentifiedSubject } from './identify-subject.ts';
import type { LedgerFailure, Usage } from './ledger-call.ts';
import { hasSameReads, type ResolvedSubject } from './resolve-subject.ts';
import { type FactsRound, FactsSearch, type LastFacts } from './search-facts.ts';
import { eventOf } from './update-event.ts';

/** Each round may update a ledger or the isolate. More than four are needed only while somebody edits the customer. */
const MAX_ROUNDS = 8;
const FACTS_UNKNOWN = warningOf('customer-facts-unknown');
const FACTS_STALE = warningOf('customer-facts-stale');
const USAGE_UNKNOWN = warningOf('usage-unknown');
const USAGE_STALE = warningOf('usage-stale');
const USAGE_INCOMPLETE = warningOf('usage-incomplete');
const NONE: readonly never[] = [];
const WITHOUT_LEDGER = { usage: { readings: new Map<never, never>(), location: null }, counted: null };

export interface AccessRun {
  readonly effects: AccessEffects;
  readonly request: AccessRequest;
  readonly identified: IdentifiedSubject;
  readonly only: ReadonlySet<string> | undefined;
  readonly count: AdmittedCount | null;
  /** Null if the environment has none. */
  readonly workflows: WorkflowRuns | null;
}

export interface Resolved<Customer extends string | null> {
  readonly subject: ResolvedSubject<Customer>;
  readonly warnings: readonly Warning[];
}

/** The stages before this one, with other facts. */
type ResolveAgain = (
  run: AccessRun,
  known: Pick<FactsRound, 'facts' | 'customer'>,
) => Resolved<string> | Promise<Resolved<string>>;

/** A bounded read of readings that are in memory; null if the ledger must be called. */
export function recallUsage(
  run: AccessRun,
  subject: ResolvedSubject<string>,
  warnings: readonly Warning[],
): AccessResult | null {
  const { request, effects, count } = run;
  if (count !== null || request.consistency !== 'bounded') return null;
  const facts = sendsFacts(request) ? { version: subject.facts.version } : undefined;
  const { customer, entity, reads } = subject;
  const readings = effects.ledger.recall(request.loaded.snapshot, {
    customer,
    entity,
    reads,
    now: request.now,
    facts,
  });
  if (readings === null) return null;
  return resultOf(run, subject, { usage: { readings, location: null }, counted: null }, warnings);
}

/** Whether ledgers confirm the facts that a check uses. */
export function sendsFacts({ loaded: { snapshot }, known }: AccessRequest): boolean {
  return snapshot.hasCustomerFacts === true && known === undefined;
}

/** Reads or counts usage with the facts at hand. The ledger confirms or updates these, and every update starts a new round. */
export async function askLedger(
  run: AccessRun,
  first: ResolvedSubject<string>,
  firstWarnings: readonly Warning[],
  resolveAgain: ResolveAgain,
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
      return answerWithoutLedger(
        run,
        await resolveWithLast(run, subject, warnings, last, resolveAgain),
        step.failure,
      );
    }
    warnings = combineWarnings(warnings, step.warnings);
    if (step.update === undefined && step.isDone) {
      if (step.isFromLedger) search.confirm(subject);
      return resultOf(run, subject, step, warnings);
    }
    const next = await search.next(customer, step.update);
    if (next === null) {
      ({ subject, warnings } = await resolveWithLast(run, subject, warnings, search.recall(), resolveAgain));
      break;
    }
    const renewed = await resolveAgain(run, next);
    warnings = combineWarnings(warnings, renewed.warnings);
    const isAnswered =
      step.update?.kind === 'newer' &&
      step.isDone &&
      next.loaded === undefined &&
      next.customer === customer &&
      hasSameReads(subject, renewed.subject);
    subject = renewed.subject;
    if (isAnswered) return resultOf(run, subject, step, warnings);
    round = next;
  }
  const step = await readOrCount(run, subject, undefined, warnings);
  if (step.failure !== undefined) return answerWithoutLedger(run, { subject, warnings }, step.failure);
  if (!step.isDone) throw new Error('A ledger that was sent no facts answered that they are outdated');
  return resultOf(run, subject, step, combineWarnings(warnings, step.warnings));
}

/** The subject with the facts that are left where no ledger has confirmed any. @param last null: there are none */
async function resolveWithLast(
  run: AccessRun,
  subject: ResolvedSubject<string>,
  warnings: readonly Warning[],
  last: LastFacts | null,
  resolveAgain: ResolveAgain,
): Promise<Resolved<string>> {
  if (last === null) return { subject, warnings: combineWarnings(warnings, [FACTS_UNKNOWN]) };
  const { customer, facts, isStale } = last;
  const isSameSubject = facts === subject.facts && customer === subject.customer;
  const renewed = isSameSubject ? { subject, warnings: NONE } : await resolveAgain(run, last);
  const all = combineWarnings(warnings, renewed.warnings);
  return { subject: renewed.subject, warnings: isStale ? combineWarnings(all, [FACTS_STALE]) : all };
}

/**
 * Each meter is as the isolate has read it last. One that it has never read is unused in an outage, which allows more than it should;
 * an overloaded ledger is no reason for that.
 */
function answerWithoutLedger(
  run: AccessRun,
  { subject, warnings }: Resolved<string>,
  failure: LedgerFailure,
): AccessResult {
  const { snapshot } = run.request.loaded;
  const { customer, entity, reads, isMetered, resolution } = subject;
  // The usage of what is on or off decides nothing.
  if (!isMetered || resolution === null) return resultOf(run, subject, WITHOUT_LEDGER, warnings);
  const readings = run.effects.ledger.recallLast(snapshot, { customer, entity, reads, now: run.request.now });
  const share = measuredShare(resolution, reads, readings);
  if (share !== 'all' && failure.isOverloaded) throw failure;
  if (share === 'none')
    return resultOf(run, subject, WITHOUT_LEDGER, combineWarnings(warnings, [USAGE_UNKNOWN]));
  const step = { ...WITHOUT_LEDGER, usage: { readings, location: null } };
  const said = share === 'all' ? [USAGE_STALE] : [USAGE_STALE, USAGE_UNKNOWN];
  return resultOf(run, subject, step, combineWarnings(warnings, said));
}

function factsSubject(
  { loaded, place, consistency, now, endsAt }: AccessRequest,
  { identity }: IdentifiedSubject,
) {
  const { identifier } = identity;
  if (identifier === null) throw new Error('An anonymous subject has no ledger');
  return { snapshot: loaded.snapshot, identifier, place, isStrict: consistency === 'strict', now, endsAt };
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
  readonly failure?: LedgerFailure | undefined;
  readonly warnings: readonly Warning[];
}

async function readOrCount(
  { effects, request, identified, count }: AccessRun,
  subject: ResolvedSubject<string>,
  facts: CallerFacts | undefined,
  warnings: readonly Warning[],
): Promise<LedgerStep> {
  const { loaded, place, now, endsAt, consistency = 'local' } = request;
  const { snapshot } = loaded;
  const { customer, entity, reads, resolution } = subject;
  if (count === null) {
    const usage = await effects.ledger.read(snapshot, {
      customer,
      entity,
      place,
      reads,
      now,
      endsAt,
      consistency,
      facts,
    });
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
  const { at } = count;
  // A hold may have been made under another name of the customer, whose facts say less.
  const isElsewhere = at !== undefined && at.customer !== customer;
  const counted = await countUsage({ ledger: effects.ledger, snapshot, resolution }, count, {
    customer: at?.customer ?? customer,
    entity: at === undefined ? request.entityId : at.entity,
    only: at?.location,
    place,
    isStrict,
    now,
    endsAt,
    facts: isElsewhere ? undefined : facts,
    readOwn: isElsewhere
      ? async (read, entity) => {
          const asked = { customer, entity, place, reads: [read], now, endsAt, consistency };
          const reading = (await effects.ledger.read(snapshot, asked)).readings.get(readingKey(read));
          return reading && { ...reading, resetsAt: reading.resetsAt ?? null };
        }
      : undefined,
    reads: isConsuming ? reads : NONE,
    entityBalances: subject.facts.entityBalances,
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
    isFromLedger: !isElsewhere,
    usage: { readings: counted.readings, location },
    warnings: isConsuming && !isWhole ? [...counted.warnings, USAGE_INCOMPLETE] : counted.warnings,
  };
}

function resultOf(
  { request: { loaded, known }, identified }: AccessRun,
  subject: ResolvedSubject,
  { usage, counted }: Pick<LedgerStep, 'usage' | 'counted'>,
  warnings: readonly Warning[],
): AccessResult {
  const { identifier } = identified.identity;
  const notFound =
    known === undefined ? notFoundWarnings(loaded.snapshot, identifier, subject, warnings) : NONE;
  const identityWarnings = identified.warnings;
  const further = combineWarnings(ambiguityWarnings(identifier, subject), notFound);
  return {
    subject,
    usage,
    counted,
    identityWarnings,
    warnings: combineWarnings(warnings, further),
    executions: NONE,
  };
}
