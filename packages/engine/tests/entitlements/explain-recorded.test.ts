import { describe, expect, it } from 'vitest';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { PropertyAnswer } from '#contracts/public/access';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { explainRecorded, isSameAnswer } from '#engine/entitlements/explain-recorded';
import { plansOf } from '#engine/entitlements/plans-of';
import { prepare } from '#engine/entitlements/prepare';
import { renderFeatures } from '#engine/entitlements/render-features';
import { resolve } from '#engine/entitlements/resolve';
import { SMALL } from '../small-workspace.ts';

const prepared = prepare(compileArtifact(SMALL));
const subject = { isAuthenticated: true, grantedPlanIds: ['plan_pro'] };
const answered = () => {
  const resolution = resolve(prepared, plansOf(prepared, subject));
  return {
    plans: resolution.planSlugs,
    features: JSON.parse(renderFeatures(resolution, null, 0).json) as Record<
      string,
      { properties: Record<string, PropertyAnswer> }
    >,
  };
};

describe('explaining a recorded answer', () => {
  it('names the plans that decided each value', () => {
    const { plans, features } = answered();
    const explained = explainRecorded(prepared, { plans }, features, []);
    expect(explained.map(({ property, decidedBy }) => [property, decidedBy])).toEqual([
      ['enabled', ['free', 'pro']],
      ['exports', ['pro']],
      ['seats', ['pro']],
    ]);
  });

  const seatsOf = (seats: number, executions: readonly WorkflowExecution[]) => {
    const { plans, features } = answered();
    const changed = { analytics: { properties: { ...features.analytics!.properties, seats } } };
    return explainRecorded(prepared, { plans }, changed, executions).find(
      ({ property }) => property === 'seats',
    );
  };
  const execution = (changes: Partial<WorkflowExecution>): WorkflowExecution => ({
    executionId: 'exe_1',
    workflowId: 'wf_1',
    workflowName: 'Double',
    success: true,
    logs: [],
    diagnosticMessages: [],
    wallTime: 1,
    seed: '',
    result: { seats: 4711 },
    input: { feature: { slug: 'analytics' } },
    ...changes,
  });

  it('attributes a value that the plans do not explain to an override', () => {
    expect(seatsOf(4711, [])).toMatchObject({ decidedBy: { override: 'override' }, value: 4711 });
  });

  it('attributes a meter that is off to the workflow that turned its feature off', () => {
    const { plans, features } = answered();
    const properties = { ...features.analytics!.properties, enabled: false };
    const exports = { state: 'off', allowed: false } as const;
    const changed = { analytics: { properties: { ...properties, exports } } };
    const executions = [execution({ result: { enabled: false } })];
    expect(explainRecorded(prepared, { plans }, changed, executions)).toContainEqual(
      expect.objectContaining({ property: 'exports', decidedBy: { override: 'workflow Double' } }),
    );
  });

  it('names the workflow that returned the value, also one that the plans set', () => {
    const byWorkflow = { decidedBy: { override: 'workflow Double' } };
    expect(seatsOf(4711, [execution({})])).toMatchObject(byWorkflow);
    expect(seatsOf(5, [execution({ result: { seats: 5 } })])).toMatchObject(byWorkflow);
    const byOverride = { decidedBy: { override: 'override' } };
    expect(seatsOf(4711, [execution({ success: false })])).toMatchObject(byOverride);
    expect(seatsOf(4711, [execution({ result: { seats: 1 } })])).toMatchObject(byOverride);
    expect(seatsOf(4711, [execution({ input: { feature: { slug: 'exports' } } })])).toMatchObject(byOverride);
    expect(seatsOf(4711, [execution({ input: {}, result: ['pro'] })])).toMatchObject(byOverride);
  });

  it('leaves open whether it was a workflow or an override if a result was not stored', () => {
    const dropped = execution({ result: null, isResultDropped: true });
    expect(seatsOf(4711, [dropped])).toMatchObject({ decidedBy: 'other' });
    expect(seatsOf(4711, [execution({ result: null, input: null })])).toMatchObject({ decidedBy: 'other' });
    const provisioning = execution({ result: null, isResultDropped: true, input: {} });
    expect(seatsOf(4711, [provisioning])).toMatchObject({ decidedBy: { override: 'override' } });
  });

  it('leaves out what the version does not have, whatever its name', () => {
    const features = JSON.parse(
      '{"__proto__":{"properties":{"seats":1}},"constructor":{"properties":{}},"gone":{"properties":{"x":1}}}',
    );
    expect(explainRecorded(prepared, { plans: ['gone', '__proto__'] }, features, [])).toEqual([]);
  });
});

describe('comparing answers', () => {
  const meter = (used: number, limit = 10): PropertyAnswer => ({
    state: 'metered',
    allowed: used < limit,
    limit,
    used,
    remaining: Math.max(0, limit - used),
    periodType: 'lifetime',
    periodCount: null,
    periodLength: null,
    resetsAt: null,
  });

  it('ignores how much of a meter is used, not whether it allows more', () => {
    expect(isSameAnswer(meter(1), meter(2))).toBe(true);
    expect(isSameAnswer(meter(1), meter(10))).toBe(false);
    expect(isSameAnswer(meter(1), meter(1, 11))).toBe(false);
    expect(isSameAnswer(meter(1), { state: 'on', allowed: true })).toBe(false);
    expect(isSameAnswer(true, true)).toBe(true);
    expect(isSameAnswer('1', 1)).toBe(false);
  });
});
