/** Builds the event of a counted update from the caller's part and the ledger's answer. */
import type { RecordedEvent } from '#contracts/internal/event-batch';
import type { LedgerAnswer, LedgerSite, UpdateEvent } from '#contracts/internal/ledger';
import { warningOf } from '#contracts/public/warnings';
import { answeredDraws } from '#engine/balances/answered-draws';
import { countDenial } from '#engine/entitlements/verdict';
import { nearLimitsOf } from '#engine/metering/near-limits-of';
import { limitOfUpdate, withCountedEntity } from '#engine/metering/read-entity';
import { readMeter } from '#engine/metering/read-meter';
import { writeUpdateAnswer } from '#engine/metering/write-update-answer';

const INCOMPLETE = warningOf('usage-incomplete');

/** Whether the answer counted something now, as opposed to a refusal or a replay. */
export function isCounted(answer: LedgerAnswer): boolean {
  if (answer.kind !== 'answered') return false;
  return answer.outcomes.some((each) => each.kind === 'decided' && each.accepted && !each.replayed);
}

/** Null: nothing was counted. */
export function countedEvent(
  { environmentId, location }: LedgerSite,
  id: string,
  {
    requestId,
    warnings,
    property,
    isFeatureOff,
    environmentType,
    key,
    sources,
    isSettling,
    ...event
  }: UpdateEvent,
  answer: LedgerAnswer,
): RecordedEvent | null {
  const [outcome] = answer.kind === 'answered' ? answer.outcomes : [];
  if (answer.kind !== 'answered' || outcome?.kind !== 'decided') return null;
  const { accepted, replayed, applied, value, reading, at } = outcome;
  // Of each, the amount alone matters.
  const all = [...(sources ?? ['quota' as const]), ...(reading?.rolled ?? [])];
  const ordered = all.map((source) => ({ source, endsAt: null }));
  const isOfQuota = sources === undefined && reading?.rolled === undefined;
  const own = readMeter(value, reading ?? undefined, at, isOfQuota ? {} : { sources: ordered });
  const meter = withCountedEntity(own, outcome.also, at);
  const limitOf = limitOfUpdate(meter, accepted, outcome.also);
  const draws = answeredDraws(outcome.draws, sources);
  const given = answer.isWhole ? warnings : [...warnings, INCOMPLETE];
  const [feature] = event.featureSlugs;
  const denial = countDenial(isFeatureOff !== true, { accepted, meter });
  return {
    ...event,
    id,
    envId: environmentId,
    environmentType: environmentType ?? null,
    type: 'cu',
    isHold: outcome.hold !== undefined,
    key: key ?? null,
    timings: null,
    isError: false,
    isDenied: denial !== null,
    warnings: given,
    denials: denial === null || feature === undefined ? [] : [{ feature, reason: denial }],
    nearLimits:
      feature === undefined || property === undefined ? null : nearLimitsOf(feature, property, meter),
    readDataLocations: [location],
    writeDataLocations: [location],
    response: writeUpdateAnswer(
      requestId,
      {
        accepted,
        replayed,
        applied,
        draws,
        lost: outcome.lost,
        denial,
        limitOf,
        meter,
        hold: outcome.hold,
        isSettling,
      },
      given,
    ),
    features: null,
    error: null,
    integrationId: null,
    stripeEventType: null,
  };
}
