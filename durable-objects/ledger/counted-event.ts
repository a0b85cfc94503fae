/** The event of a counted update, put together from what the caller said of it and what the ledger answered. */
import type { RecordedEvent } from '#contracts/event-batch';
import type { LedgerAnswer, LedgerSite, UpdateEvent } from '#contracts/ledger';
import { warningOf } from '#contracts/warnings';
import { readMeter } from '#engine/metering/read-meter';
import { writeUpdateAnswer } from '#engine/metering/write-update-answer';

const INCOMPLETE = warningOf('usage-incomplete');

/** Whether the answer says that something was counted, now and not earlier under the same key. */
export function isCounted(answer: LedgerAnswer): boolean {
  if (answer.kind !== 'answered') return false;
  return answer.outcomes.some((each) => each.kind === 'decided' && each.accepted && !each.replayed);
}

/** Null: nothing was counted. */
export function countedEvent(
  { environmentId, location }: LedgerSite,
  id: string,
  { requestId, warnings, ...said }: UpdateEvent,
  answer: LedgerAnswer,
): RecordedEvent | null {
  const [outcome] = answer.kind === 'answered' ? answer.outcomes : [];
  if (answer.kind !== 'answered' || outcome?.kind !== 'decided') return null;
  const { accepted, replayed, value, reading, at } = outcome;
  const meter = readMeter(value, reading ?? undefined, at);
  const given = answer.isWhole ? warnings : [...warnings, INCOMPLETE];
  return {
    ...said,
    id,
    envId: environmentId,
    type: 'cu',
    isError: false,
    isWarning: given.length > 0,
    readDataLocations: [location],
    writeDataLocations: [location],
    response: writeUpdateAnswer(requestId, { accepted, replayed, meter }, given),
    features: null,
    error: null,
    integrationId: null,
    stripeEventType: null,
  };
}
