// Messages of customers in a run, each of which costs an amount of their wallet: counted, given back by key, and held, from anywhere. What
// was paid is what was counted, to the unit.
import type { SettleHoldAnswer } from '#contracts/public/holds';
import type { CounterUpdateAnswer } from '#contracts/public/metering';
import type { Random } from '#lab/fixtures/seeded-random';
import type { CustomerHistory } from './history.ts';
import { type ClientOptions, newKey, send } from './send.ts';
import { FEATURE, MESSAGE_COST } from './workspace.ts';

const MESSAGES = { feature: FEATURE, property: 'messages' };
/** Of one customer, whose keys are kept for giving back. */
const MOST_KEPT = 20;

export async function sendMessages(
  options: ClientOptions,
  customer: CustomerHistory,
  random: Random,
): Promise<void> {
  const choice = random.next();
  if (choice < 0.25) return giveBack(options, customer, random);
  if (choice < 0.45) return holdMessages(options, customer, random);
  const by = 1 + random.upTo(4);
  const idempotencyKey = newKey();
  expectAtMost(customer, by);
  const body = { userIdentifier: random.pick(customer.names), ...MESSAGES, by, idempotencyKey };
  const answer = await send<CounterUpdateAnswer>(options, random, { path: 'counter-updates', body });
  if (answer.kind === 'unknown') {
    options.history.unknown += 1;
    return;
  }
  const { accepted, replayed, requestId, costs } = answer.body;
  if (!accepted || costs?.applied !== costOf(by))
    options.history.differences.push(
      `${requestId}: ${by} messages cost ${costs?.applied}: ${JSON.stringify(answer.body)}`,
    );
  expectAtLeast(customer, by, costOf(by));
  if (!replayed) customer.counted.push(requestId);
  if (customer.messageKeys.length < MOST_KEPT) customer.messageKeys.push({ idempotencyKey, by });
}

/** All of one update, once: with what it has cost. */
async function giveBack(options: ClientOptions, customer: CustomerHistory, random: Random): Promise<void> {
  const given = customer.messageKeys.shift();
  if (given === undefined) return;
  const { idempotencyKey, by } = given;
  expectAtLeast(customer, -by, -costOf(by));
  const body = { userIdentifier: random.pick(customer.names), ...MESSAGES, givesBack: idempotencyKey };
  const answer = await send<CounterUpdateAnswer>(options, random, {
    path: 'counter-updates',
    body,
    // The location has not heard of the update yet, or has forgotten its key, and an earlier try may have reached another one.
    refusals: ['nothing-to-give-back'],
  });
  if (answer.kind === 'unknown') {
    options.history.unknown += 1;
    return;
  }
  const { applied, requestId, costs } = answer.body;
  if (applied !== -by || costs?.applied !== -costOf(by))
    options.history.differences.push(
      `${requestId}: ${by} messages were given back as ${JSON.stringify(answer.body)}`,
    );
  expectAtMost(customer, -by);
}

/** A third of the callers are killed, and never say what they have used. */
async function holdMessages(
  options: ClientOptions,
  customer: CustomerHistory,
  random: Random,
): Promise<void> {
  const opened = await send<Pick<SettleHoldAnswer, 'hold' | 'replayed' | 'requestId'>>(options, random, {
    path: 'holds',
    body: {
      ...{ userIdentifier: random.pick(customer.names), ...MESSAGES, amount: 1 + random.upTo(5) },
      ...{ lastsMs: random.pick([2_000, 20_000]), idempotencyKey: newKey() },
    },
  });
  if (opened.kind === 'unknown') {
    options.history.unknown += 1;
    return;
  }
  const { hold, replayed, requestId } = opened.body;
  if (!replayed) customer.counted.push(requestId);
  if (random.next() < 0.3) return;
  const used = random.upTo(hold.amount + 2);
  expectAtMost(customer, used);
  const settled = await send<SettleHoldAnswer>(options, random, {
    path: `holds/${hold.id}/settle`,
    body: { amount: used },
  });
  if (settled.kind === 'unknown') options.history.unknown += 1;
  else expectAtLeast(customer, settled.body.applied, settled.body.costs?.applied ?? 0);
}

const costOf = (by: number) => Math.ceil(by * MESSAGE_COST);

function expectAtMost({ messages, wallet }: CustomerHistory, by: number): void {
  messages.max += by;
  wallet.max += Math.sign(by) * costOf(Math.abs(by));
}

function expectAtLeast({ messages, wallet }: CustomerHistory, by: number, cost: number): void {
  messages.min += by;
  wallet.min += cost;
}
