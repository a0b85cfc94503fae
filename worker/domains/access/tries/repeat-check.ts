/**
 * Repeats a recorded access check against the environment as it is now. The identity and place are those of the recorded check:
 * workflows' inputs have both whole; without any, they are read from the event. Tokens are not recorded, so their subject is
 * taken as verified.
 */
import { z } from 'zod';
import type { Event } from '#contracts/console/events';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import { type AccessCheckAnswer, accessCheckRequestSchema } from '#contracts/public/access';
import { locationSchema } from '#contracts/public/locations';
import { runAccessPipeline } from '#engine/access/access-pipeline';
import type { AccessRequest } from '#engine/access/access-request';
import { EXPLAINED } from '#engine/access/call-query';
import type { Identity } from '#engine/access/identify-subject';
import type { Place } from '#engine/access/place';
import { renderCheck, textOf } from '#engine/access/render-check';
import { DATA_LOCATIONS } from '#engine/regions/data-locations';
import type { LoadedEnvironment } from '#worker/domains/snapshots/snapshot-cache';
import type { RequestContext } from '#worker/http/request-context';
import { requestIdOf } from '../calls/record-call.ts';
import { accessEffects } from '../effects/production-effects.ts';

export interface RecordedCheck {
  readonly event: Event;
  /** The identity's method in the recorded answer. */
  readonly method: Identity['method'];
  /** Epoch milliseconds: the instant of the check, which workflows see again. */
  readonly asOf: number;
  /** Of the recorded check's workflows. */
  readonly executions: readonly WorkflowExecution[];
}

/** Recorded requests may come from an earlier release, so each field is optional. */
const { consistency, context } = accessCheckRequestSchema.shape;
const requestSchema = z.object({
  userIdentifier: z.string().optional().catch(undefined),
  /** Of a check of all features, features that were added since are compared too. */
  features: z.array(z.string()).optional().catch(undefined),
  consistency: consistency.catch(undefined),
  context: context.catch(undefined),
});

const inputSchema = z.object({
  identity: z.object({ identifier: z.string().nullable() }),
  place: z.object({ location: locationSchema.nullable() }),
});

/** Workflows see the recorded instant and random numbers, so that a difference comes from the version, the customer or the code. */
export async function repeatCheck(
  { env, place, now, requestId }: RequestContext,
  loaded: LoadedEnvironment,
  recorded: RecordedCheck,
): Promise<AccessCheckAnswer> {
  const { event, executions, asOf } = recorded;
  const input = inputSchema.safeParse(executions[0]?.input).data;
  const request = requestSchema.safeParse(event.request).data ?? {};
  const result = await runAccessPipeline(accessEffects(env), {
    loaded,
    now,
    keyType: 'secret',
    seed: requestIdOf(event.id),
    workflowNow: asOf,
    ...subjectOf(loaded, recorded, request.userIdentifier, input?.identity.identifier),
    place: placeOf(place, event, input?.place.location),
    features: request.features,
    consistency: request.consistency,
    context: request.context,
    isUsageShown: true,
  });
  const rendered = renderCheck({ loaded, key: { type: 'secret' } }, result, {
    requestId,
    now,
    query: EXPLAINED,
  });
  return JSON.parse(textOf(rendered)) as AccessCheckAnswer;
}

/** @param seen the identifier that the check's workflows received; undefined if none ran */
function subjectOf(
  { snapshot: { jwtIssuers = [] } }: LoadedEnvironment,
  { method, event }: RecordedCheck,
  sent: string | undefined,
  seen: string | null | undefined,
): Pick<AccessRequest, 'userIdentifier' | 'verdict'> {
  const { subjectIdentifier } = event;
  if (method === 'anonymous' || subjectIdentifier === null) return {};
  if (method === 'identifier') return { userIdentifier: sent ?? seen ?? subjectIdentifier };
  const areEmails = jwtIssuers.every(({ claimIndex }) => claimIndex === 'email');
  const identifier = seen ?? tokenSubjectOf(event, subjectIdentifier, areEmails);
  return { verdict: { identifier, expiresAt: Number.POSITIVE_INFINITY } };
}

/**
 * The event names the customer that usage counts for, and then the customer's other identifiers: the token's own if it differs, and
 * the email at Stripe. A single one can be either, unless only an email can have caused the event's warning.
 */
function tokenSubjectOf(
  { secondarySubjectIdentifiers: others, warningCodes }: Event,
  customer: string,
  areEmails: boolean,
): string {
  const isAlias = others.length > 1 || areEmails || warningCodes.includes('email-ambiguous');
  return (isAlias ? others[0] : undefined) ?? customer;
}

/** The event has no coordinates. The viewer's do not matter, so the nearest location follows from the country, or is the recorded one. */
function placeOf(
  { colo }: Place,
  { detail: { countryCode: country, city, continent } }: Event,
  location: string | null | undefined,
): Place {
  const { latitude = null, longitude = null } =
    DATA_LOCATIONS.find((each) => each.location === location) ?? {};
  return { colo, country, city, continent, latitude, longitude };
}
