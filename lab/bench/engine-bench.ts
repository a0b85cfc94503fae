/**
 * Evaluations per second of the engine alone, from a subject to the JSON text of every feature. `warm` uses a cached set of
 * plans, with and without meter readings; `cold` uses a new set every time. Cost should grow linearly with the number of
 * properties and configured plan values.
 */
import type { PropertyValue } from '#contracts/public/values';
import {
  compileArtifact,
  type PlanValueRow,
  type PropertyRow,
  type Workspace,
} from '#engine/artifacts/compile-artifact';
import { type PlanSet, planSetOf } from '#engine/entitlements/plan-set';
import { plansOf, type Subject } from '#engine/entitlements/plans-of';
import { prepare } from '#engine/entitlements/prepare';
import type { PreparedArtifact } from '#engine/entitlements/prepared-artifact';
import { type Readings, renderFeatures } from '#engine/entitlements/render-features';
import { resolve } from '#engine/entitlements/resolve';
import { SYSTEM_PROPERTY } from '#engine/values/system-property';

export interface EngineBenchResult {
  name: string;
  features: number;
  plans: number;
  path: 'warm' | 'warm, metered' | 'cold';
  evaluationsPerSecond: number;
  microsecondsEach: number;
  /** Time per step of a cold evaluation. Constant across sizes if cost is linear. */
  nanosecondsPerStep: number | null;
  answerBytes: number;
}

const PLANS = 100;
const PROPERTIES_PER_FEATURE = 5;
const NOW = Date.UTC(2025, 5, 15, 12);

/** @param clock fractional milliseconds, like performance.now @param rowMs duration of each of the 18 rows */
export function engineBench(clock: () => number, rowMs = 250): EngineBenchResult[] {
  return [20, 500].flatMap((features) => {
    const prepared = prepare(compileArtifact(benchWorkspace(features)));
    return [1, 10, 100].flatMap((plans) => benchPlans(prepared, features, plans, clock, rowMs));
  });
}

function benchPlans(
  prepared: PreparedArtifact,
  features: number,
  plans: number,
  clock: () => number,
  rowMs: number,
): EngineBenchResult[] {
  const products = Array.from({ length: plans }, (_, index) => ({
    integrationId: 'int_1',
    productId: `prod_${index}`,
  }));
  const subject: Subject = { isAuthenticated: true, products };
  const readings: Readings = new Map(
    prepared.properties.map(({ property }, index) => [property.id, { used: index % 9 }]),
  );
  const warm = (read: Readings | null) => () =>
    renderFeatures(resolve(prepared, plansOf(prepared, subject)), read, NOW).json;

  const planSet = planSetOf(Array.from({ length: plans }, (_, index) => index));
  let made = 0;
  const cold = () => {
    // A unique key misses the artifact's cache.
    const fresh: PlanSet = { ...planSet, key: `new ${made++}` };
    return renderFeatures(resolve(prepared, fresh), readings, NOW).json;
  };
  const steps = features * PROPERTIES_PER_FEATURE * (plans + 1);
  const row = (path: EngineBenchResult['path'], evaluate: () => string): EngineBenchResult => {
    const microsecondsEach = measure(evaluate, clock, rowMs);
    return {
      name: `${features} features, ${plans} ${plans === 1 ? 'plan' : 'plans'}, ${path}`,
      features,
      plans,
      path,
      evaluationsPerSecond: Math.round(1_000_000 / microsecondsEach),
      microsecondsEach,
      nanosecondsPerStep: path === 'cold' ? (microsecondsEach * 1000) / steps : null,
      answerBytes: evaluate().length,
    };
  };
  return [row('warm', warm(null)), row('warm, metered', warm(readings)), row('cold', cold)];
}

/** Microseconds per call; a fifth of the time is warm-up. */
function measure(evaluate: () => string, clock: () => number, rowMs: number): number {
  let sink = 0;
  const run = (forMs: number) => {
    const start = clock();
    let calls = 0;
    let batch = 1;
    let elapsed = 0;
    while (elapsed < forMs) {
      // Reading the last character flattens the string, as sending it would.
      for (let call = 0; call < batch; call++) {
        const text = evaluate();
        sink += text.charCodeAt(text.length - 1);
      }
      calls += batch;
      elapsed = clock() - start;
      if (elapsed < forMs / 20) batch *= 2;
    }
    return (elapsed * 1000) / calls;
  };
  run(rowMs / 5);
  const microseconds = run(rowMs);
  if (sink === 0) throw new Error('Nothing was evaluated');
  return microseconds;
}

/** Every plan configures every property. The five properties cover all types and both conflict rules. */
function benchWorkspace(featureCount: number): Workspace {
  const featureIds = Array.from(
    { length: featureCount },
    (_, index) => `feat_${String(index).padStart(4, '0')}`,
  );
  const planIds = Array.from({ length: PLANS }, (_, index) => `plan_${String(index).padStart(4, '0')}`);
  const properties = featureIds.flatMap((featureId): PropertyRow[] => {
    const own = { featureId, description: null, bounds: null, isSystem: false } as const;
    return [
      { ...SYSTEM_PROPERTY, id: `${featureId}_1`, featureId },
      {
        ...own,
        id: `${featureId}_2`,
        key: 'seats',
        name: 'Seats',
        type: 'number',
        value: 0,
        conflictResolution: 'higher',
      },
      {
        ...own,
        id: `${featureId}_3`,
        key: 'latency',
        name: 'Latency',
        type: 'number',
        value: 500,
        conflictResolution: 'lower',
      },
      {
        ...own,
        id: `${featureId}_4`,
        key: 'tier',
        name: 'Tier',
        type: 'string',
        value: '',
        conflictResolution: 'higher',
      },
      {
        ...own,
        id: `${featureId}_5`,
        key: 'exports',
        name: 'Exports',
        type: 'meterable',
        value: { state: 'off' },
        conflictResolution: 'higher',
      },
    ];
  });
  return {
    features: featureIds.map((id) => ({ id, slug: id.replace('_', '-'), name: id, description: null })),
    properties,
    plans: planIds.map((id) => ({
      id,
      slug: id.replace('_', '-'),
      name: id,
      description: null,
      grantToAnonymousSessions: false,
      grantToAuthenticatedUsers: false,
      isAddOn: false,
    })),
    planValues: planIds.flatMap((planId, plan) =>
      properties.map(
        ({ id, featureId, key }, index): PlanValueRow => ({
          planId,
          featureId,
          propertyId: id,
          value: benchValue(key, (plan * 7 + index) % 23),
        }),
      ),
    ),
    planProducts: planIds.map((planId, index) => ({
      planId,
      integrationId: 'int_1',
      productId: `prod_${index}`,
    })),
    workflows: [],
    limitOrder: 'rate',
  };
}

function benchValue(key: string, level: number): PropertyValue {
  if (key === 'enabled') return true;
  if (key === 'tier') return `tier-${level}`;
  if (key !== 'exports') return level * 10;
  return {
    state: 'metered',
    meter: {
      limit: level,
      periodType: 'rolling',
      periodCount: 1,
      periodLength: 'month',
      uniqueResourceIds: false,
    },
  };
}
