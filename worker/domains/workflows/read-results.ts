/** Reads what customers' code returned. Everything that does not fit is dropped and named; nothing here throws. */
import { z } from 'zod';
import type { ValueOverride } from '#engine/entitlements/override-values';
import type { ProvisionedPlans } from '#engine/entitlements/plans-of';
import type { PreparedArtifact, PreparedFeature } from '#engine/entitlements/prepared-artifact';
import { checkValue } from '#engine/values/kinds/check-value';

const MAX_PLANS = 100;
const plansSchema = z.array(z.string().max(100)).max(MAX_PLANS);
const provisioningSchema = z.union([
  plansSchema.transform((plans) => ({ plans, mode: 'add' as const })),
  z.object({ plans: plansSchema, mode: z.enum(['add', 'replace']) }),
]);
const behaviourSchema = z.record(z.string(), z.unknown());

export interface ProvisioningResult {
  /** Null if the result is no list of plans. */
  readonly plans: ProvisionedPlans | null;
  /** What was dropped, and why. */
  readonly problems: readonly string[];
}

/** @param workflow its name, for explanations */
export function readProvisioning(
  result: unknown,
  prepared: PreparedArtifact,
  workflow: string,
): ProvisioningResult {
  const read = provisioningSchema.safeParse(result);
  if (!read.success) {
    const shapes = "an array of plan slugs, or { plans, mode: 'add' | 'replace' }";
    return { plans: null, problems: [`The result is not ${shapes}`] };
  }
  const { plans, mode } = read.data;
  const isKnown = (slug: string) => prepared.planIndexBySlug.has(slug);
  return {
    plans: { plans: plans.filter(isKnown), mode, workflow },
    problems: plans.filter((slug) => !isKnown(slug)).map((slug) => `This version has no plan '${slug}'`),
  };
}

export interface BehaviourResult {
  readonly overrides: readonly ValueOverride[];
  readonly problems: readonly string[];
}

/** @param source of the values, for explanations */
export function readBehaviour(result: unknown, feature: PreparedFeature, source: string): BehaviourResult {
  const read = behaviourSchema.safeParse(result);
  if (!read.success || Array.isArray(result)) {
    return { overrides: [], problems: ['The result is not an object of values by property key'] };
  }
  const overrides: ValueOverride[] = [];
  const problems: string[] = [];
  for (const [key, value] of Object.entries(read.data)) {
    const problem = problemOf(feature, key, value);
    if (problem !== null) problems.push(problem);
    const property = feature.propertyByKey.get(key)?.property;
    if (problem === null && property !== undefined)
      overrides.push({ propertyId: property.id, value, source });
  }
  return { overrides, problems };
}

function problemOf(feature: PreparedFeature, key: string, value: unknown): string | null {
  const entry = feature.propertyByKey.get(key);
  const name = `${feature.slug}.${key.slice(0, 100)}`;
  if (entry === undefined) return `This version has no property ${name}`;
  if (entry.property.type === 'meterable') return `${name} is a meter: usage is counted before workflows run`;
  const [issue] = checkValue(entry.property, value);
  return issue === undefined ? null : `${name} is dropped: ${issue.message}`;
}
