// Streams of a model that are paid by holds, a third of which die without a word, over a network that loses answers: what was used is what
// was settled, and once the time of the dead is over nothing is held. VITE_STREAMS (300) of them.
import { exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { type Random, randomFrom } from '#lab/fixtures/seeded-random';
import { holdUsage } from '#sdk/ai';
import { createTessera, type Meter, type Tessera } from '#sdk/index';
import { newFeatureForAll } from '#tests/support/features';
import { newTenant, publishAll } from '#tests/support/tenants';

const STREAMS = Number(import.meta.env.VITE_STREAMS ?? 300);
/** Of an organisation, whose calls are limited. */
const STREAMS_EACH = 1_000;
/** A customer has at most 100 open holds. */
const STREAMS_OF_CUSTOMER = 60;
const AT_ONCE = 20;
const METER = 'assistant.tokens';
const LASTS_MS = 5_000;
/** The promise: after their time and a minute nothing is held. */
const GONE_MS = LASTS_MS + 60_000;
/** Of any text. */
const TOKENS = 7;
const MAX_OUTPUT = 50;
const LOST_ANSWERS = 0.05;

test('of streams that end, are cancelled or die, used is what was settled, and nothing stays held', {
  timeout: 600_000 + STREAMS * 500,
}, async () => {
  for (let from = 0; from < STREAMS; from += STREAMS_EACH)
    await play(from, Math.min(STREAMS_EACH, STREAMS - from));
});

async function play(seed: number, streams: number): Promise<void> {
  const random = randomFrom(1 + seed);
  const tessera = await newClient(random);
  const used = new Map<string, number>();
  const left = Array.from({ length: streams }, (_, index) => index);
  const endings = { ended: 0, cancelled: 0, killed: 0 };
  const work = async () => {
    for (let index = left.pop(); index !== undefined; index = left.pop()) {
      const user = `reader-${index % Math.ceil(streams / STREAMS_OF_CUSTOMER)}@streams.example`;
      const ending = (['ended', 'cancelled', 'killed'] as const)[index % 3] ?? 'ended';
      endings[ending]++;
      const tokens = await stream(tessera, user, ending, random);
      used.set(user, (used.get(user) ?? 0) + tokens);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(endings.killed).toBeGreaterThanOrEqual(Math.floor(streams / 3));
  for (const [user, tokens] of used) {
    const meter = async () => {
      tessera.refresh();
      const { used, held = 0 } = (await tessera.check({ user })).get(METER) as MeteredValue;
      return { used, held };
    };
    await expect.poll(meter, { timeout: GONE_MS }).toEqual({ used: tokens, held: 0 });
  }
}

type MeteredValue = Extract<Meter, { readonly state: 'metered' }>;

/** @returns what it takes of the meter */
async function stream(
  tessera: Tessera,
  user: string,
  ending: 'ended' | 'cancelled' | 'killed',
  random: Random,
): Promise<number> {
  const tokens = { input: random.upTo(20), output: random.upTo(30) };
  const options = { maxOutputTokens: MAX_OUTPUT, tokensOf: () => TOKENS, lastsMs: LASTS_MS };
  const { wrapStream } = holdUsage(tessera, METER, { on: { user }, ...options });
  const said: object[] = [
    { type: 'text-delta', delta: 'Some' },
    { type: 'text-delta', delta: ' words' },
    { type: 'finish', usage: { inputTokens: tokens.input, outputTokens: tokens.output } },
  ];
  const doStream = async () => ({
    stream: new ReadableStream<object>({
      pull(controller) {
        const part = said.shift();
        if (part === undefined) controller.close();
        else controller.enqueue(part);
      },
    }),
  });
  const opened = await wrapStream({ params: { prompt: 'Say some words' }, model: { doStream } });
  const reader = opened.stream.getReader();
  if (ending === 'ended') {
    while (!(await reader.read()).done);
    return tokens.input + tokens.output;
  }
  // Whoever reads it is gone, after a part or at once.
  const parts = ending === 'cancelled' ? 1 : random.upTo(2) - 1;
  for (let part = 0; part < parts; part++) await reader.read();
  if (ending === 'killed') return 0;
  await reader.cancel();
  return 2 * TOKENS;
}

async function newClient(random: Random): Promise<Tessera> {
  const tenant = await newTenant();
  const feature = await newFeatureForAll(tenant, { name: 'Assistant', slug: 'assistant' });
  const meter = { limit: 1_000_000, periodType: 'lifetime', uniqueResourceIds: false };
  await tenant.make('POST', `/features/${feature.id}/properties`, {
    ...{ name: 'Tokens', propertyKey: 'tokens', type: 'meterable' },
    value: { state: 'metered', meter },
  });
  const { value: key } = await tenant.key(await tenant.previewId());
  await publishAll(tenant);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = await exports.default.fetch(new Request(input as string, init));
    if (random.next() < LOST_ANSWERS) throw new TypeError('The answer is lost');
    return answer;
  };
  // Workers start slowly in tests.
  return createTessera({ url: 'http://localhost:4001', key, fetch, timeoutMs: 20_000, onEvent: () => {} });
}
