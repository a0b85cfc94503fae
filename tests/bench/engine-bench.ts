/**
 * Evaluations per second of the engine alone: from a subject to the JSON text of every feature. `warm` is a set of
 * plans seen before, without readings and with them; `cold` is a new one every time. Cost should grow no faster than
 * the work, which is one step for every property and every value that a plan of the subject configures.
 */
import type { PropertyValue } from '#contracts/values';
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
  /** Of cold evaluations: time over steps of work. The same at every size where cost grows as the work does. */
  nanosecondsPerStep: number | null;
  answerBytes: number;
}

const PLANS = 100;
const PROPERTIES_PER_FEATURE = 5;
const NOW = Date.UTC(2025, 5, 15, 12);

/** `clock` gives milliseconds with fractions, as performance.now does. Each of the 18 rows takes about `rowMs`. */
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
    // A key of its own makes the set unknown to what the artifact remembers.
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

/** Microseconds of one call, after a fifth of the time spent warming up. */
function measure(evaluate: () => string, clock: () => number, rowMs: number): number {
  let sink = 0;
  const run = (forMs: number) => {
    const start = clock();
    let calls = 0;
    let batch = 1;
    let elapsed = 0;
    while (elapsed < forMs) {
      // The last character makes the runtime join what it may have left in pieces, as sending it would.
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

/** Every plan configures every property; the five are of all types and of both conflict rules. */
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
