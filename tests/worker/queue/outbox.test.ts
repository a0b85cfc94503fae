// Outbox rows are resent independently of each other, and a dead letter is stored once.
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import type { QueueMessage, StripeEventReceived } from '#runtime/messages';
import { eventually } from '#tests/support/eventually';
import { expectConsole } from '#tests/support/expect-console';
import { openDatabase } from '#worker/db/database';
import { workContext } from '#worker/http/make-work-context';
import { keepDeadLetters } from '#worker/queue/keep-dead-letters';
import { outboxRow, resendOutbox } from '#worker/queue/outbox';

const db = openDatabase(env.DB);

/** A message for a deleted integration. Its consumer deletes the outbox row. */
function eventMessage(orgId: string, serial: number, octets: number): StripeEventReceived {
  return {
    type: 'stripe.event-received',
    outboxId: `out_${orgId}_${String(serial).padStart(3, '0')}`,
    orgId,
    integrationId: 'stripe_gone',
    event: {
      id: `evt_${serial}`,
      type: 'customer.updated',
      createdAt: 0,
      receivedAt: 0,
      customerId: 'cus_1',
      productId: null,
      object: { description: 'é'.repeat(octets / 2) },
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

test('messages beyond one queue batch are sent in several batches, and none is lost', async () => {
  const orgId = 'org_outbox_many';
  for (let serial = 0; serial < 60; serial++) {
    await outboxRow(db, eventMessage(orgId, serial, 10_000), 0);
  }
  await resendOutbox(workContext(env, Date.now));
  await eventually(async () => expect(await waiting(orgId)).toEqual([]));
});

test('a message that the queue rejects does not block the others', async () => {
  const orgId = 'org_outbox_large';
  const messages = [0, 1, 2].map((serial) => eventMessage(orgId, serial, serial === 1 ? 200_000 : 100));
  for (const message of messages) await outboxRow(db, message, 0);
  expectConsole('error', /could not be resent/);
  await resendOutbox(workContext(env, Date.now));
  await eventually(async () => expect(await waiting(orgId)).toEqual([messages[1]?.outboxId]));
  await env.DB.prepare('DELETE FROM outbox WHERE org_id = ?').bind(orgId).run();
});

test('a message that is too large for the queue does not block a small one of the same batch', async () => {
  const orgId = 'org_outbox_too_large';
  const messages = [0, 1].map((serial) => eventMessage(orgId, serial, serial === 0 ? 150_000 : 100));
  for (const message of messages) await outboxRow(db, message, 0);
  expectConsole('error', /could not be resent/);
  await resendOutbox(workContext(env, Date.now));
  await eventually(async () => expect(await waiting(orgId)).toEqual([messages[0]?.outboxId]));
  await env.DB.prepare('DELETE FROM outbox WHERE org_id = ?').bind(orgId).run();
});

test('organisations take turns: one with many messages does not delay another', async () => {
  const [many, few] = ['org_outbox_many_rows', 'org_outbox_few_rows'];
  await env.DB.prepare(
    `INSERT INTO outbox (id, org_id, type, payload, created_at, sent_at)
     WITH RECURSIVE serial(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM serial WHERE n < 1100)
     SELECT 'out_many_' || n, ?, 'workspace.changed', json_object('type', 'workspace.changed', 'outboxId', 'out_many_' || n, 'orgId', ?), 0, n FROM serial`,
  )
    .bind(many, many)
    .run();
  const message = eventMessage(few, 1, 10);
  await outboxRow(db, message, 1_000_000);
  const publish = vi.spyOn(env.PUBLISH_QUEUE, 'sendBatch').mockResolvedValue(undefined as never);
  const catchUp = vi.spyOn(env.STRIPE_CATCH_UP_QUEUE, 'sendBatch').mockResolvedValue(undefined as never);
  await resendOutbox(workContext(env, Date.now));
  const batches = publish.mock.calls.map(([messages]) => [...messages].length);
  expect(batches.every((size) => size <= 100)).toBe(true);
  expect(batches.reduce((sum, size) => sum + size, 0)).toBe(999);
  expect(catchUp.mock.calls.flatMap(([messages]) => [...messages].map(({ body }) => body))).toEqual([
    message,
  ]);
  publish.mockRestore();
  catchUp.mockRestore();
  await env.DB.prepare('DELETE FROM outbox WHERE org_id IN (?, ?)').bind(many, few).run();
});

test('malformed rows are logged and become dead letters, and the others are sent', async () => {
  const orgId = 'org_outbox_malformed';
  const good = eventMessage(orgId, 9, 10);
  await outboxRow(db, good, 0);
  const payloads = ['{"type":', 'null', '"text"', '{}', JSON.stringify({ ...good, outboxId: 'out_other' })];
  for (const [serial, payload] of payloads.entries()) {
    await env.DB.prepare(
      "INSERT INTO outbox (id, org_id, type, payload, created_at, sent_at) VALUES (?, ?, 'stripe.event-received', ?, 0, 0)",
    )
      .bind(`out_malformed_${serial}`, orgId, payload)
      .run();
  }
  expectConsole('error', /malformed outbox row moved to dead letters/);
  await resendOutbox(workContext(env, Date.now));
  await eventually(async () => expect(await waiting(orgId)).toEqual([]));
  const { results } = await env.DB.prepare(
    `SELECT id, queue, body ->> 'type' AS type, body ->> 'payload' AS payload FROM dead_letter
     WHERE body ->> 'orgId' = ? ORDER BY id`,
  )
    .bind(orgId)
    .all();
  expect(results).toEqual(
    payloads.map((payload, serial) => ({
      id: `dead_out_malformed_${serial}`,
      queue: 'outbox',
      type: 'malformed',
      payload,
    })),
  );
});

test('a repeatedly failing message has one dead letter, with its last instant', async () => {
  expectConsole('error', /queue message moved to dead letters/);
  const body = eventMessage('org_outbox_dead', 1, 10);
  const giveUp = (now: number) =>
    keepDeadLetters(
      workContext(env, () => now),
      {
        queue: 'tessera-stripe-dead',
        messages: [{ body, attempts: 11, ack() {}, retry() {} }],
      } as unknown as MessageBatch<QueueMessage>,
    );
  for (const now of [1_000, 3_000, 2_000]) await giveUp(now);
  const { results } = await env.DB.prepare(
    "SELECT attempts, died_at AS diedAt FROM dead_letter WHERE body ->> 'orgId' = 'org_outbox_dead'",
  ).all();
  expect(results).toEqual([{ attempts: 33, diedAt: 3_000 }]);
});

test('the due rows are found by an index, however many wait for their next attempt', async () => {
  const prepare = vi.spyOn(env.DB, 'prepare');
  await resendOutbox(workContext(env, Date.now));
  const query = prepare.mock.calls.map(([text]) => text).find((text) => text.includes('PARTITION BY')) ?? '';
  prepare.mockRestore();
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`)
    .bind(...Array.from(query.matchAll(/\?/g), () => 0))
    .all<{ detail: string }>();
  expect(results.map(({ detail }) => detail).join()).toContain('USING INDEX outbox_due');
});
