// What waits in the outbox is sent again whatever else waits there, and what was given up is kept once.
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { expectConsole } from '#tests/support/expect-console';
import { openDatabase } from '#worker/db/database';
import { log } from '#worker/platform/log';
import { keepDeadLetters } from '#worker/queue/keep-dead-letters';
import type { QueueMessage, StripeEventReceived } from '#worker/queue/messages';
import { outboxRow, resendOutbox } from '#worker/queue/outbox';

const db = openDatabase(env.DB);

/** Of an integration that is no more: whoever gets it takes it out of the outbox. */
function eventMessage(orgId: string, serial: number, octets: number): StripeEventReceived {
  return {
    type: 'stripe.event-received',
    outboxId: `out_${orgId}_${String(serial).padStart(3, '0')}`,
    orgId,
    integrationId: 'stripe_gone',
    event: {
      ...{ id: `evt_${serial}`, type: 'customer.updated', createdAt: 0, receivedAt: 0 },
      ...{ customerId: 'cus_1', productId: null, object: { description: 'é'.repeat(octets / 2) } },
    },
    attempts: 0,
  };
}

async function waiting(orgId: string): Promise<string[]> {
  const { results } = await env.DB.prepare('SELECT id FROM outbox WHERE org_id = ? ORDER BY id')
    .bind(orgId)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

test('more than one batch of a queue can hold is sent in several, and none is forgotten', async () => {
  const orgId = 'org_outbox_many';
  for (let serial = 0; serial < 60; serial++) {
    await outboxRow(db, eventMessage(orgId, serial, 10_000), 0);
  }
  await resendOutbox(db, env, Date.now());
  await vi.waitFor(async () => expect(await waiting(orgId)).toEqual([]), { timeout: 10_000 });
});

test('a message that no queue takes keeps none of the others', async () => {
  const orgId = 'org_outbox_large';
  const messages = [0, 1, 2].map((serial) => eventMessage(orgId, serial, serial === 1 ? 200_000 : 100));
  for (const message of messages) await outboxRow(db, message, 0);
  expectConsole('error', /could not be sent again/);
  await resendOutbox(db, env, Date.now());
  await vi.waitFor(async () => expect(await waiting(orgId)).toEqual([messages[1]?.outboxId]), {
    timeout: 10_000,
  });
  await env.DB.prepare('DELETE FROM outbox WHERE org_id = ?').bind(orgId).run();
});

test('a message that is given up again and again is kept once, with its last instant', async () => {
  expectConsole('error', /queue message given up/);
  const body = eventMessage('org_outbox_dead', 1, 10);
  const giveUp = (now: number) =>
    keepDeadLetters(
      db,
      {
        queue: 'tessera-stripe-dead',
        messages: [{ body, attempts: 11, ack() {}, retry() {} }],
      } as unknown as MessageBatch<QueueMessage>,
      now,
      log,
    );
  for (const now of [1_000, 3_000, 2_000]) await giveUp(now);
  const { results } = await env.DB.prepare(
    "SELECT attempts, died_at AS diedAt FROM dead_letter WHERE body ->> 'orgId' = 'org_outbox_dead'",
  ).all();
  expect(results).toEqual([{ attempts: 33, diedAt: 3_000 }]);
});
