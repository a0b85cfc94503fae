/**
 * Runs a recorded access check by a version, with what its workflows received then: identity, customer, place, context, instant, random
 * numbers and usage. Plans and overrides are those that the customer has now. Code runs as code that a person tries, so nothing is
 * recorded or counted, and no workflow is disabled.
 */
import { z } from 'zod';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { RecordedCheck } from '#contracts/internal/recorded-check';
import type { WorkflowInput } from '#contracts/internal/workflow-run';
import type { AccessEffects, WorkflowSubject } from '#engine/access/access-effects';
import { runAccessPipeline } from '#engine/access/access-pipeline';
import { denialOf } from '#engine/access/denial';
import type { PreparedArtifact } from '#engine/entitlements/prepared-artifact';
import { readOwnMeter } from '#engine/entitlements/read-own-meter';
import { type Readings, renderFeatures } from '#engine/entitlements/render-features';
import type { Resolution } from '#engine/entitlements/resolution';
import { configuredValue } from '#engine/entitlements/resolve';
import type { CountedMeter } from '#engine/entitlements/verdict';
import type { LoadedEnvironment } from '#worker/domains/snapshots/snapshot-cache';
import { preparedWorkflowsOf } from '#worker/domains/workflows/prepared-workflows';
import { WorkflowRuns } from '#worker/domains/workflows/run-workflows';
import type { RequestContext } from '#worker/http/request-context';
import { accessEffects } from '../effects/production-effects.ts';

export interface ReplayedCheck {
  /** Its values and verdicts, as JSON. */
  readonly features: string;
  readonly isDenied: boolean;
  readonly executions: readonly WorkflowExecution[];
}

/** Other fields are passed on as they were recorded. */
const inputSchema = z.looseObject({
  identity: z.object({
    isAuthenticated: z.boolean(),
    method: z.enum(['anonymous', 'identifier', 'jwt']),
    identifier: z.string().nullable(),
  }),
  customer: z.looseObject({ plans: z.array(z.string()) }),
  place: z.looseObject({}),
  now: z.number(),
});
/** Of the request and the response: what an earlier release recorded may lack any of it. */
const requestSchema = z.object({
  features: z.array(z.string()).optional().catch(undefined),
  consume: z.object({ feature: z.string(), property: z.string() }).optional().catch(undefined),
});
const responseSchema = z.object({
  features: z.record(z.string(), z.object({ properties: z.record(z.string(), z.unknown()) })).catch({}),
  consumed: z.object({ accepted: z.boolean() }).optional().catch(undefined),
});
const meterSchema = z.object({ used: z.number() });
const ownMetersSchema = z.object({
  feature: z.object({ slug: z.string(), meters: z.record(z.string(), meterSchema) }),
});

/** What the check's workflows received; null if it was too long to be recorded. */
export function recordedInput({ executions }: RecordedCheck): WorkflowInput | null {
  const read = executions.map(({ input }) => inputSchema.safeParse(input).data).find(Boolean);
  return read === undefined ? null : ({ context: {}, ...read } as unknown as WorkflowInput);
}

/** @param facts of the customer that usage counts for, as they are now @param version the environment, as if it ran that version */
export async function replayCheck(
  ctx: Pick<RequestContext, 'env' | 'now' | 'place'>,
  version: LoadedEnvironment,
  check: RecordedCheck,
  input: WorkflowInput,
  facts: CustomerFacts | undefined,
): Promise<ReplayedCheck> {
  const { now, place } = ctx;
  const { identifier, method } = input.identity;
  const { features, consume } = requestSchema.safeParse(check.request).data ?? {};
  const asked = consume === undefined ? features : features?.concat(consume.feature);
  const result = await runAccessPipeline(effectsOf(ctx.env, version, check, input), {
    loaded: version,
    keyType: 'secret',
    place,
    now,
    features: asked,
    ...(method === 'jwt' &&
      identifier !== null && { verdict: { identifier, expiresAt: Number.POSITIVE_INFINITY } }),
    ...(identifier !== null &&
      facts !== undefined && {
        known: { identifier, customer: check.subjectIdentifier ?? identifier, facts },
      }),
  });
  const { resolution, only } = result.subject;
  if (resolution === null) throw new Error('A version has no resolution');
  const readings = result.usage?.readings ?? null;
  const counted = recordedCount(check, resolution, readings, now);
  const { json, denied } = renderFeatures(resolution, readings, now, only, { counted, isListed: false });
  const { isDenied } = denialOf({
    count: only?.size ?? version.featureSlugs.length,
    denied,
    areNamed: features !== undefined,
    counted: counted?.feature ?? null,
  });
  return { features: json, isDenied, executions: result.executions };
}

function effectsOf(
  env: RequestContext['env'],
  version: LoadedEnvironment,
  check: RecordedCheck,
  { identity, customer, place, context, now }: WorkflowInput,
): AccessEffects {
  const { snapshot, prepared } = version;
  const workflows = preparedWorkflowsOf(version);
  const usage = prepared === null ? new Map<never, never>() : recordedUsage(prepared, check);
  const all = accessEffects(env);
  return {
    ...all,
    ledger: { ...all.ledger, read: async () => ({ readings: usage, location: null, warnings: [] }) },
    workflows: {
      has: ({ content }) => content.workflows.length > 0,
      start() {
        if (prepared === null || workflows === null) return null;
        const { orgId, environmentId } = snapshot;
        const seed = check.executions[0]?.seed ?? '';
        const disabledIds: readonly string[] = [];
        const code = { orgId, environmentId, prepared, workflows, disabledIds, isTrial: true };
        const runs = new WorkflowRuns(env, { ...code, identity, place, context, now, seed });
        const recorded = ({ plans }: WorkflowSubject) => ({ ...customer, plans });
        return {
          provision: (subject) => runs.provision(recorded(subject)),
          behave: (subject, ...values) => runs.behave(recorded(subject), ...values),
          get elapsedMs() {
            return runs.elapsedMs;
          },
          get executions() {
            return runs.executions;
          },
        };
      },
    },
  };
}

/** What the check counted, by the version's limit; null if it counted nothing, or the version does not have the meter. */
function recordedCount(
  { request, response }: RecordedCheck,
  resolution: Resolution,
  readings: Readings | null,
  now: number,
): CountedMeter | null {
  const { consume } = requestSchema.safeParse(request).data ?? {};
  const { consumed } = responseSchema.safeParse(response).data ?? {};
  if (consume === undefined || consumed === undefined) return null;
  const { feature } = consume;
  const entry = resolution.prepared.featureBySlug.get(feature)?.propertyByKey.get(consume.property);
  const value = entry && configuredValue(resolution, entry);
  if (entry === undefined || typeof value !== 'object') return null;
  const meter = readOwnMeter(resolution, entry, value, readings?.get(entry.property.id), { now });
  return { feature, accepted: consumed.accepted, meter };
}

/** What the answer and the workflows' inputs say was used. By property id. */
function recordedUsage(prepared: PreparedArtifact, { response, executions }: RecordedCheck): Readings {
  const { features = {} } = responseSchema.safeParse(response).data ?? {};
  const meters = [
    ...executions.flatMap(({ input }) => {
      const { feature } = ownMetersSchema.safeParse(input).data ?? {};
      return feature === undefined ? [] : [[feature.slug, feature.meters] as const];
    }),
    ...Object.entries(features).map(([slug, { properties }]) => [slug, properties] as const),
  ];
  const readings = new Map<string, { used: number }>();
  for (const [slug, properties] of meters) {
    for (const [key, value] of Object.entries(properties)) {
      const id = prepared.featureBySlug.get(slug)?.propertyByKey.get(key)?.property.id;
      const meter = meterSchema.safeParse(value).data;
      if (id !== undefined && meter !== undefined) readings.set(id, meter);
    }
  }
  return readings;
}
