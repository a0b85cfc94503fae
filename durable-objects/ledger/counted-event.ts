/** Builds the event of a counted update from the caller's part and the ledger's answer. */
import type { RecordedEvent } from '#contracts/internal/event-batch';
import type {
  DrawSource,
  LedgerAnswer,
  LedgerReading,
  LedgerSite,
  UpdateEvent,
  UpdateOutcome,
} from '#contracts/internal/ledger';
import { warningOf } from '#contracts/public/warnings';
import { answeredDraws } from '#engine/balances/answered-draws';
import { countDenial } from '#engine/entitlements/verdict';
import { allowedBy, type CountedCost, countedCost } from '#engine/metering/cost-answer';
import { nearLimitsOf } from '#engine/metering/near-limits-of';
import { limitOfUpdate, withCountedEntity } from '#engine/metering/read-entity';
import { type MeterOwner, readMeter } from '#engine/metering/read-meter';
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
    costs,
    ...event
  }: UpdateEvent,
  answer: LedgerAnswer,
): RecordedEvent | null {
  const [outcome] = answer.kind === 'answered' ? answer.outcomes : [];
  if (answer.kind !== 'answered' || outcome?.kind !== 'decided') return null;
  const { accepted, replayed, applied, value, reading, at } = outcome;
  const paid = costs && paidOf(costs, outcome);
  const ownAlso = outcome.also?.filter((each) => each.propertyId !== costs?.propertyId);
  const own = readMeter(value, reading ?? undefined, at, ownerOf(sources, reading));
  const meter = allowedBy(withCountedEntity(own, ownAlso, at), paid);
  const isOn = isFeatureOff !== true;
  const limitOf = isOn ? limitOfUpdate(meter, accepted, ownAlso) : undefined;
  const draws = answeredDraws(outcome.draws, sources);
  const given = answer.isWhole ? warnings : [...warnings, INCOMPLETE];
  const [feature] = event.featureSlugs;
  const denial = countDenial(isOn, { accepted, meter, payer: paid?.meter });
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
      feature === undefined || property === undefined ? null : nearLimitsOf(feature, property, meter, paid),
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
        costs: paid,
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

/** Of each source, the amount alone matters. */
function ownerOf(sources: readonly DrawSource[] | undefined, reading: LedgerReading | null): MeterOwner {
  if (sources === undefined && reading?.rolled === undefined) return {};
  const all = [...(sources ?? ['quota' as const]), ...(reading?.rolled ?? [])];
  return { sources: all.map((source) => ({ source, endsAt: null })) };
}

function paidOf(
  { propertyId, sources, ...cost }: NonNullable<UpdateEvent['costs']>,
  { also = [], at }: Extract<UpdateOutcome, { kind: 'decided' }>,
): CountedCost | undefined {
  const outcome = also.find((each) => each.propertyId === propertyId && each.entity === undefined);
  if (outcome === undefined) return undefined;
  const { value, reading } = outcome;
  const own = readMeter(value, reading ?? undefined, at, ownerOf(sources, reading));
  const meter = withCountedEntity(
    own,
    also.filter((each) => each.propertyId === propertyId),
    at,
  );
  return countedCost(cost, outcome, meter, sources);
}
