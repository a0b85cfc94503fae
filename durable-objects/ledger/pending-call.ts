/** Calls that wait for their group commit, and the texts that callers and the outbox get after it. */
import { type CustomerFacts, type FactsUpdate, loadedFactsOf } from '#contracts/internal/customer-facts';
import type { LedgerAnswer, LedgerCall } from '#contracts/internal/ledger';
import { isCounted } from './counted-event.ts';
import type { JournalEvent } from './journal.ts';

export interface PendingCall {
  readonly call: LedgerCall;
  /** JSON of the call's UpdateEvent. */
  readonly eventJson: string | undefined;
  readonly factsUpdate: FactsUpdate | undefined;
}

/** The alias in the facts that the caller has loaded from the database. */
export function loadedAliasOf({ facts }: LedgerCall): CustomerFacts['aliasOf'] {
  return facts === undefined ? undefined : loadedFactsOf(facts)?.facts.aliasOf;
}

/** JSON of an answer, with an update of the facts that the caller used. */
export function textOf(answer: LedgerAnswer, facts: FactsUpdate | undefined): string {
  return JSON.stringify(facts === undefined || answer.kind !== 'answered' ? answer : { ...answer, facts });
}

/** The events of those calls that counted something. */
export function eventsOf(
  pending: readonly PendingCall[],
  answers: readonly LedgerAnswer[],
  texts: readonly string[],
): JournalEvent[] {
  const events: JournalEvent[] = [];
  for (const [index, { call, eventJson }] of pending.entries()) {
    const answer = answers[index];
    if (call.event === undefined || eventJson === undefined || answer === undefined) continue;
    if (isCounted(answer)) events.push({ name: call.event, eventJson, answer: texts[index] ?? '' });
  }
  return events;
}
