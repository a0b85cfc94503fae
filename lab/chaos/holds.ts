// Holds of customers in a run: made anywhere, extended, settled wherever the caller is, or abandoned as by a caller that was killed. Once
// the faults have ended, nothing is held any more, and what was used is what was settled.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExtendHoldAnswer, HoldAnswer, SettleHoldAnswer } from '#contracts/public/holds';
import type { Random } from '#lab/fixtures/seeded-random';
import type { CustomerHistory } from './history.ts';
import { type ClientOptions, newKey, send } from './send.ts';
import { FEATURE } from './workspace.ts';

/** Of the credits. Most callers settle while the hold lasts, some later. */
export async function holdCredits(
  options: ClientOptions,
  customer: CustomerHistory,
  random: Random,
): Promise<void> {
  const { history } = options;
  const opened = await send<HoldAnswer>(options, random, {
    path: 'holds',
    body: {
      ...{ userIdentifier: random.pick(customer.names), feature: FEATURE, property: 'credits' },
      ...{ amount: 1 + random.upTo(5), orLess: random.next() < 0.5 },
      ...{ lastsMs: random.pick([2_000, 20_000]), idempotencyKey: newKey() },
    },
  });
  if (opened.kind === 'unknown') history.unknown += 1;
  if (opened.kind === 'unknown' || opened.body.hold === null) return;
  const { id, amount } = opened.body.hold;
  if (!opened.body.replayed) customer.counted.push(opened.body.requestId);
  // The caller is killed: it never says what it used.
  if (random.next() < 0.3) return;
  if (random.next() < 0.3) {
    const body = { amount: random.upTo(3), idempotencyKey: newKey() };
    // One that has ended meanwhile is a conflict.
    await send<ExtendHoldAnswer>(options, random, {
      path: `holds/${id}/extend`,
      body,
      refusals: ['hold-over', 'hold-settled'],
    });
  }
  await sleep(random.upTo(3_000));
  const used = random.upTo(amount + 2);
  customer.credits.max += used;
  const settled = await send<SettleHoldAnswer>(options, random, {
    path: `holds/${id}/settle`,
    body: { amount: used },
  });
  if (settled.kind === 'unknown') history.unknown += 1;
  else customer.credits.min += settled.body.applied;
}
