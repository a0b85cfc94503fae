/**
 * Explains a recorded access check: what decided its values, and what the same check would answer now. Runs the same pipeline
 * as the public API; nothing is recorded or counted.
 */

import { z } from 'zod';
import type { EventExplanation } from '#contracts/console/event-explanation';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import {
  type AccessCheckAnswer,
  accessCheckAnswerSchema,
  featureAnswerSchema,
} from '#contracts/public/access';
import {
  type AnsweredFeatures,
  type ExplainedAnswer,
  explainRecorded,
  isSameAnswer,
} from '#engine/entitlements/explain-recorded';
import { prepare } from '#engine/entitlements/prepare';
import { listEnvironmentIds, liveEnvironment } from '#worker/db/live-environments';
import { readVersionContent } from '#worker/domains/artifacts/read-version-content';
import { readEvent, readExecutions } from '#worker/domains/events/read-event';
import type { LoadedEnvironment } from '#worker/domains/snapshots/snapshot-cache';
import { snapshotCacheOf } from '#worker/domains/snapshots/snapshot-cache-of';
import { notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { repeatCheck } from './repeat-check.ts';

/** A recorded answer may come from an earlier release, so only what is used is required. */
const recordedAnswerSchema = accessCheckAnswerSchema
  .pick({ asOf: true, version: true, identity: true, customer: true, features: true, explanation: true })
  .extend({ features: z.record(z.string(), featureAnswerSchema.pick({ properties: true })) })
  .partial({ asOf: true, features: true });

type RecordedAnswer = ReturnType<typeof recordedAnswerSchema.parse>;

/** @throws {ApiError} not-found if there is no such event, or it is no answered access check */
export async function explainEvent(
  ctx: RequestContext,
  scope: Scope,
  eventId: string,
): Promise<EventExplanation> {
  const event = await readEvent(ctx, scope, eventId);
  const recorded = recordedAnswerSchema.safeParse(event.response);
  if (event.type !== 'ac' || !recorded.success) throw notFound('The access check');
  const loaded = await loadEnvironment(ctx, scope, event.envId);
  const executions = event.workflowExecutions.total === 0 ? [] : await readExecutions(ctx, scope, eventId);
  const { identity, asOf = event.time } = recorded.data;
  const check = { event, executions, asOf, method: identity.method };
  const now = loaded === null ? null : await repeatCheck(ctx, loaded, check);
  const then = await explainThen(ctx, scope, recorded.data, loaded, executions);
  return {
    version: recorded.data.version,
    plans: recorded.data.customer.plans,
    now: now && { version: now.version, plans: now.customer.plans, warnings: now.warnings },
    properties: sideBySide(then, now),
  };
}

async function loadEnvironment(
  { db, env, place, waitUntil }: RequestContext,
  { orgId }: Scope,
  environmentId: string,
): Promise<LoadedEnvironment | null> {
  const [ownId] = await listEnvironmentIds(db, liveEnvironment(orgId, environmentId));
  return ownId === undefined ? null : snapshotCacheOf(env).get(ownId, place, waitUntil);
}

/** Without a reason for each value if the version no longer exists. */
async function explainThen(
  ctx: RequestContext,
  scope: Scope,
  { version, customer, features = {}, explanation }: RecordedAnswer,
  loaded: LoadedEnvironment | null,
  executions: readonly WorkflowExecution[],
): Promise<Side> {
  if (explanation !== undefined) return sideOf(features, explanation);
  if (version === null) return sideOf(features, []);
  const isCurrent = loaded?.snapshot.artifact?.id === version.artifactId;
  if (isCurrent && loaded.prepared !== null) {
    return sideOf(features, explainRecorded(loaded.prepared, customer, features, executions));
  }
  const content = await readVersionContent(ctx, scope, version.artifactId);
  return sideOf(
    features,
    content === null ? [] : explainRecorded(prepare(content), customer, features, executions),
  );
}

type Reason = Pick<ExplainedAnswer, 'feature' | 'property' | 'decidedBy' | 'reason'>;
type ExplainedSide = NonNullable<EventExplanation['properties'][number]['recorded']>;

interface Property {
  readonly feature: string;
  readonly property: string;
  readonly side: ExplainedSide;
}

/** By feature and property. */
type Side = ReadonlyMap<string, Property>;

function sideOf(features: AnsweredFeatures, reasons: readonly Reason[]): Side {
  const known = new Map(reasons.map((reason) => [keyOf(reason), reason]));
  const side = new Map<string, Property>();
  for (const [feature, { properties }] of Object.entries(features)) {
    for (const [property, value] of Object.entries(properties)) {
      const key = keyOf({ feature, property });
      const { decidedBy = null, reason = '' } = known.get(key) ?? {};
      side.set(key, { feature, property, side: { value, decidedBy, reason } });
    }
  }
  return side;
}

/** Neither slugs nor keys contain spaces. */
const keyOf = ({ feature, property }: Pick<Property, 'feature' | 'property'>) => `${feature} ${property}`;

function sideBySide(then: Side, answer: AccessCheckAnswer | null): EventExplanation['properties'] {
  const now = answer === null ? null : sideOf(answer.features, answer.explanation ?? []);
  const keys = new Set([...then.keys(), ...(now?.keys() ?? [])]);
  return [...keys].flatMap((key) => {
    const [before, after] = [then.get(key), now?.get(key)];
    const named = before ?? after;
    if (named === undefined) return [];
    const { feature, property } = named;
    const isSame =
      before !== undefined && after !== undefined && isSameAnswer(before.side.value, after.side.value);
    return [
      {
        feature,
        property,
        recorded: before?.side ?? null,
        now: after?.side ?? null,
        isChanged: now !== null && !isSame,
      },
    ];
  });
}
