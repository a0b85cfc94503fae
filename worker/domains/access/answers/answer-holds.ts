/**
 * POST /api/v1/holds, …/extend and …/settle. A hold's id says which ledger has it, so a call about it needs no customer: the ledger says whom
 * the hold counts for, and the pipeline decides with what that customer has now.
 */
import {
  type ExtendHold,
  HOLD_MS,
  type HoldRequest,
  holdEndpoints,
  type SettleHold,
} from '#contracts/public/holds';
import { LOCATIONS } from '#contracts/public/locations';
import type { HoldSite } from '#engine/access/access-request';
import { type Count, holdUnknown } from '#engine/access/count-usage';
import { keyOfHeader } from '#engine/access/idempotency-key';
import { BoundedCache } from '#engine/cache/bounded-cache';
import { readHoldName } from '#engine/ledger/hold-name';
import { HOLD_PREFIX } from '#engine/metering/hold-id';
import { CALL_MS } from '#engine/outages/budget';
import { newId } from '#runtime/ids';
import { findHold } from '#worker/domains/metering/find-hold';
import { Refusal } from '#worker/http/api-error';
import type { CallBody } from '../calls/call-bodies.ts';
import { headerKeyOf, withHeaderKey } from '../calls/idempotency-header.ts';
import { paramsOf } from '../calls/path-params.ts';
import type { PublicAnswer, PublicCall } from '../calls/public-call.ts';
import { refusalOutcome } from '../calls/record-call.ts';
import { answerCount } from './answer-count.ts';

/** A hold that this isolate made or looked up. Neither whom it counts for nor on what ever changes. */
interface Known extends Pick<HoldSite, 'customer' | 'entity'> {
  readonly propertyId: string;
}

const MAX_KNOWN = 5_000;
const known = new BoundedCache<string, Known>(MAX_KNOWN / 2);

/** @throws {ApiError} */
export function answerHold(
  call: PublicCall,
  {
    sent,
    value: { userIdentifier, userJwt, entityId, amount, orLess = false, lastsMs = HOLD_MS, ...count },
  }: CallBody<HoldRequest>,
): Promise<PublicAnswer> {
  const idempotencyHeader = headerKeyOf(call);
  const id = newId('hold', call.startedAt).slice(HOLD_PREFIX.length);
  const hold = { kind: 'open', id, lastsMs, orLess } as const;
  const recorded = withHeaderKey(sent, idempotencyHeader, '');
  const options = { ...count, by: amount, enforce: true, hold };
  return recordingConflicts(
    call,
    { recorded, subject: null, feature: count.feature },
    answerCount(
      call,
      { userIdentifier, userJwt, entityId },
      { kind: 'update', idempotencyHeader, count: options },
      recorded,
    ),
  );
}

/** @throws {ApiError} not-found if there is no such hold, conflict if it has ended */
export async function answerExtendHold(
  call: PublicCall,
  { sent, value: { amount = 0, lastsMs = HOLD_MS, idempotencyKey } }: CallBody<ExtendHold>,
): Promise<PublicAnswer> {
  const header = headerKeyOf(call);
  const key = keyOfHeader(header, idempotencyKey, 'idempotencyKey') ?? null;
  const { name, counted } = await heldBy(call, paramsOf(holdEndpoints.extend, call.request).hold);
  const hold = { kind: 'extend', name, lastsMs, key } as const;
  return counted({ by: amount, enforce: true, hold }, withHeaderKey(sent, header, ''));
}

/** @throws {ApiError} not-found if there is no such hold, conflict if it was settled with another amount */
export async function answerSettleHold(
  call: PublicCall,
  { sent, value: { amount, onExcess = 'overflow' } }: CallBody<SettleHold>,
): Promise<PublicAnswer> {
  const { name, counted } = await heldBy(call, paramsOf(holdEndpoints.settle, call.request).hold);
  const hold = { kind: 'settle', name, onExcess } as const;
  return counted({ by: amount, enforce: false, hold }, sent);
}

type Change = Pick<Count, 'by' | 'enforce' | 'hold'>;

interface Held {
  readonly name: string;
  /** Counts a change of the hold. */
  counted(change: Change, sent: unknown): Promise<PublicAnswer>;
}

/** @throws {ApiError} not-found, unavailable */
async function heldBy(call: PublicCall, id: string): Promise<Held> {
  const { snapshot, prepared } = call.authenticated.loaded;
  const name = id.startsWith(HOLD_PREFIX) ? id.slice(HOLD_PREFIX.length) : '';
  const place = readHoldName(name, LOCATIONS);
  if (place === null) throw holdUnknown();
  const cacheName = `${snapshot.environmentId} ${name}`;
  let found = known.get(cacheName);
  if (found === undefined) {
    const { customer, hold } = await findHold(call.env, snapshot, place, name, call.startedAt + CALL_MS);
    found = { customer, entity: hold.entity, propertyId: hold.propertyId };
    known.set(cacheName, found);
  }
  const { customer, entity, propertyId } = found;
  const property = prepared?.propertyById.get(propertyId);
  if (property === undefined)
    throw new Refusal(
      'invalid-request',
      'property-unknown',
      'The deployed version no longer has the hold’s property',
    );
  const subject = { userIdentifier: customer };
  const named = { feature: property.feature.slug, property: property.property.key };
  return {
    name,
    counted: (change, sent) => {
      const recorded = { hold: id, ...named, ...(sent as object) };
      const at = { customer, entity, location: place.location };
      const options = {
        kind: 'update',
        idempotencyHeader: null,
        at,
        count: { ...named, ...change },
      } as const;
      // A refusal's response does not say what was asked for.
      const asked = change.hold?.kind === 'settle' ? { onExcess: change.hold.onExcess } : {};
      return recordingConflicts(
        call,
        { recorded: { ...recorded, ...asked }, subject: customer, feature: named.feature },
        answerCount(call, subject, options, recorded),
      );
    },
  };
}

/** Unlike the body of other refused calls, that of a conflict is valid, and its event is worth finding: which hold it was, and with what. */
async function recordingConflicts(
  { requestId }: PublicCall,
  { recorded, subject, feature }: { recorded: unknown; subject: string | null; feature: string },
  answering: Promise<PublicAnswer>,
): Promise<PublicAnswer> {
  const beganAt = performance.now();
  try {
    return await answering;
  } catch (error) {
    if (!(error instanceof Refusal) || error.errorType !== 'conflict') throw error;
    const outcome = refusalOutcome(error, requestId);
    return {
      text: outcome.response,
      refusal: error,
      outcome: { ...outcome, subjectIdentifier: subject, featureSlugs: [feature] },
      recordedBody: recorded,
      ledgerMs: performance.now() - beganAt,
    };
  }
}
