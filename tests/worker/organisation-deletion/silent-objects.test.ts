// A deletion ends although a replica or a ledger never answers, as it does without Stripe.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '#engine/durations';
import { expectConsole } from '#tests/support/expect-console';
import { pass, SilentBindings, stopClock } from '#tests/support/silence';
import { openDatabase } from '#worker/db/database';
import { outbox } from '#worker/db/schema/operations';
import { performStep } from '#worker/domains/organisation-deletion/deletion-steps';
import type { Deletion } from '#worker/domains/organisation-deletion/progress';
import { workContext } from '#worker/http/make-work-context';

afterEach(() => void vi.useRealTimers());

/** Of an organisation with one environment and a ledger in each data location, some days after the start. */
function deletionAt(step: Deletion['step'], days: number): Deletion {
  const startedAt = Date.now() - days * DAY_MS;
  return {
    orgId: `org_silent_${step}_${days}`,
    requestedByUserId: 'usr_1',
    requestedAt: startedAt,
    dueAt: startedAt,
    startedAt,
    environments: [{ id: `env_silent_${days}`, shards: 1 }],
    step,
    position: 0,
    busyUntil: 0,
    failures: 0,
  };
}

describe.each(['LEDGER', 'ENVIRONMENT_REPLICA'] as const)('an object of %s that never answers', (binding) => {
  async function deleteObjects(days: number) {
    const bindings = new SilentBindings().silence(binding, { location: 'oc' });
    stopClock();
    const deleting = performStep(workContext(bindings.env, Date.now), deletionAt('objects', days));
    deleting.catch(() => undefined);
    await bindings.isWaiting();
    await pass(5_000);
    return deleting;
  }

  it('fails the step, which is repeated, for a week', async () => {
    await expect(deleteObjects(6)).rejects.toMatchObject({ name: 'SilentError' });
  });

  it('is then named in the log, and the deletion goes on', async () => {
    expectConsole('error', /storage of a deleted organisation could not be deleted.*"location":"oc"/);
    expect(await deleteObjects(8)).toEqual({ kind: 'more', position: 18 });
  });
});

it('what was to be published or closed is waited for a day', async () => {
  const { env } = new SilentBindings();
  const ctx = workContext(env, Date.now);
  const steps = [deletionAt('messages', 0), deletionAt('messages', 2)];
  for (const { orgId } of steps) {
    const id = `out_${orgId}`;
    const payload = { type: 'environment.changed', outboxId: id, orgId, environmentId: 'env_1' } as const;
    await openDatabase(env.DB)
      .insert(outbox)
      .values({ id, orgId, type: payload.type, payload, createdAt: 0, sentAt: 0 });
  }
  expect(await Promise.all(steps.map((each) => performStep(ctx, each)))).toEqual([
    { kind: 'wait' },
    { kind: 'done' },
  ]);
});
