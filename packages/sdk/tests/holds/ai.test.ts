// Models whose calls are held, against the fake server: whatever way a call ends, what was used is settled, and nothing more is held.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { SMALL } from '../../../engine/tests/small-workspace.ts';
import { type HoldUsageOptions, holdUsage, LimitReachedError } from '../../ai.ts';
import { createFakeServer } from '../../fake-server.ts';
import { createTessera, TesseraError } from '../../index.ts';

const METER = 'analytics.exports';
const on = { user: 'ada' };
/** Its JSON has 84 bytes beside the text: 28 tokens of three. */
const PROMPT = [{ role: 'user', content: [{ type: 'text', text: '' }] }];
const SENT = Math.ceil((JSON.stringify(PROMPT).length + 7) / 3);
const RECEIVED_FOR = Math.ceil((JSON.stringify(PROMPT).length + 7) / 4);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Call {
  readonly prompt: typeof PROMPT;
  readonly tools?: readonly object[];
  readonly maxOutputTokens?: number;
  readonly abortSignal?: AbortSignal;
}
type Part = Readonly<Record<string, unknown>>;
const call: Call = { prompt: PROMPT };
const text = (delta: string): Part => ({ type: 'text-delta', id: '1', delta });
const usage = (input: number | undefined, output: number | undefined) => ({
  inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: output, text: output, reasoning: 0 },
});
const finish = (input?: number, output?: number): Part => ({
  type: 'finish',
  usage: usage(input, output),
  finishReason: { unified: 'stop', raw: 'stop' },
});

/** A model that says what a test gives it. A part that is an error ends the stream. */
function modelOf(parts: readonly (Part | Error | Promise<Part>)[]) {
  const seen: Call[] = [];
  let cancelled: unknown;
  return {
    seen,
    cancelled: () => cancelled,
    async doGenerate(params: Call) {
      seen.push(params);
      const content: object[] = [];
      let reported: unknown;
      for (const each of parts) {
        const part = await each;
        if (part instanceof Error) throw part;
        if (part.type === 'finish') reported = part.usage;
        else content.push({ type: 'text', text: part.delta });
      }
      return { content, usage: reported, warnings: [] };
    },
    async doStream(params: Call) {
      seen.push(params);
      const left = [...parts];
      const stream = new ReadableStream<Part>({
        async pull(controller) {
          const part = await left.shift();
          if (part === undefined) controller.close();
          else if (part instanceof Error) controller.error(part);
          else controller.enqueue(part);
        },
        cancel(reason) {
          cancelled = reason;
        },
      });
      return { stream, request: { body: 'sent' } };
    },
  };
}

/** A customer with 1,000 tokens, and a middleware that holds 100 for a reply. */
function open(options: Partial<HoldUsageOptions> = {}, limit = 1_000) {
  const fake = createFakeServer(compileArtifact(SMALL));
  fake.grant('ada', 'pro');
  fake.set('ada', { [METER]: { limit } });
  const tessera = createTessera({ url: fake.url, key: fake.secretKey, fetch: fake.fetch, onEvent: () => {} });
  const middleware = holdUsage(tessera, METER, { on, maxOutputTokens: 100, ...options });
  const meter = async () => {
    tessera.refresh();
    const { used, held } = (await tessera.check(on)).get(METER) as { used: number; held?: number };
    return { used, held };
  };
  const stream = async (model: ReturnType<typeof modelOf>, params = call) =>
    (await middleware.wrapStream({ params, model })).stream;
  /** What the first call held. */
  const held = () => (fake.calls[0]?.body ?? {}) as { readonly amount?: number };
  return { fake, tessera, middleware, meter, stream, held };
}

async function readAll(stream: ReadableStream<Part>): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const part of stream as unknown as AsyncIterable<Part>) parts.push(part);
  return parts;
}

describe('a call', () => {
  test('holds its input and the maximum of its reply, and settles what the provider reports', async () => {
    const { middleware, meter } = open();
    let during: unknown;
    const model = modelOf([meter().then(() => text('Hi')), finish(12, 7)]);
    const doGenerate = async (params: Call) => {
      during = await meter();
      return model.doGenerate(params);
    };
    const result = await middleware.wrapGenerate({ params: call, model: { doGenerate } });
    expect(during).toEqual({ used: 0, held: SENT + 100 });
    expect(result).toMatchObject({ content: [{ text: 'Hi' }] });
    expect(model.seen).toEqual([{ ...call, maxOutputTokens: 100 }]);
    expect(await meter()).toEqual({ used: 19, held: undefined });
  });

  test('that asks for less holds less, and for more not more', async () => {
    const { middleware, fake } = open();
    for (const maxOutputTokens of [20, 500])
      await middleware.wrapGenerate({ params: { ...call, maxOutputTokens }, model: modelOf([finish(1, 1)]) });
    const held = fake.calls.filter(({ path }) => path.endsWith('/holds'));
    expect(held.map(({ body }) => (body as { amount: number }).amount)).toEqual([SENT + 20, SENT + 100]);
  });

  test('that fails has used nothing', async () => {
    const { middleware, meter } = open();
    const model = modelOf([new Error('Overloaded')]);
    await expect(middleware.wrapGenerate({ params: call, model })).rejects.toThrow('Overloaded');
    expect(await meter()).toEqual({ used: 0, held: undefined });
  });

  test('is estimated where the provider reports nothing, and what it reports counts', async () => {
    const { middleware, meter } = open();
    await middleware.wrapGenerate({ params: call, model: modelOf([text('x'.repeat(40)), finish()]) });
    expect(await meter()).toMatchObject({ used: RECEIVED_FOR + 10 });
    await middleware.wrapGenerate({ params: call, model: modelOf([text('x'), finish(undefined, 30)]) });
    expect(await meter()).toMatchObject({ used: 2 * RECEIVED_FOR + 40 });
  });

  test('reports tokens as numbers in an earlier version of the AI SDK', async () => {
    const { middleware, meter } = open();
    const doGenerate = async () => ({
      content: [],
      usage: { inputTokens: 5, outputTokens: 6, totalTokens: 11 },
    });
    await middleware.wrapGenerate({ params: call, model: { doGenerate } });
    expect(await meter()).toMatchObject({ used: 11 });
  });

  test('costs what its tokens cost, rounded up', async () => {
    const { middleware, meter, held } = open({ perToken: { input: 0.1, output: 0.5 } });
    await middleware.wrapGenerate({ params: call, model: modelOf([finish(11, 7)]) });
    expect(held().amount).toBe(Math.ceil(SENT * 0.1 + 50));
    expect(await meter()).toMatchObject({ used: 5 });
  });

  test('costs no more for how fractions are written: 70 tokens of 0.1 are 7', async () => {
    const { middleware, meter } = open({ perToken: { input: 0.1, output: 0 } });
    await middleware.wrapGenerate({ params: call, model: modelOf([finish(70, 7)]) });
    expect(await meter()).toMatchObject({ used: 7 });
  });

  test('that its caller aborts before it is held has the caller’s reason', async () => {
    const { middleware, fake } = open();
    fake.fail('silent');
    const controller = new AbortController();
    const model = modelOf([finish(1, 1)]);
    const params = { ...call, abortSignal: controller.signal };
    const calling = middleware.wrapGenerate({ params, model });
    controller.abort();
    await expect(calling).rejects.toMatchObject({ name: 'AbortError' });
    expect(model.seen).toEqual([]);
  });

  test('is answered whatever estimates and contents are', async () => {
    let estimates = 0;
    const tokensOf = () => {
      if (estimates++ > 0) throw new Error('No tokenizer');
      return 7;
    };
    const { middleware } = open({ tokensOf });
    const answer = { content: 'Hi', usage: { outputTokens: 3 } };
    const doGenerate = async () => answer;
    expect(await middleware.wrapGenerate({ params: call, model: { doGenerate } })).toBe(answer);
  });

  test('holds for tools and files, and with estimates of the application', async () => {
    const { middleware, held } = open({ tokensOf: (sent) => sent.length, maxOutputTokens: 1 }, 2_000);
    const file = { type: 'file', data: new Uint8Array(50_000), mediaType: 'image/png' };
    const params = { prompt: [{ role: 'user', content: [file] }] as never, tools: [{ name: 'look' }] };
    await middleware.wrapGenerate({ params, model: modelOf([finish(1, 0)]) });
    expect(held().amount).toBeGreaterThan(1_000);
    expect(held().amount).toBeLessThan(1_100);
  });
});

describe('a stream', () => {
  test('has its parts and what else the model answers, and is settled with what is reported', async () => {
    const { middleware, meter, stream } = open();
    const parts = [text('Hi'), text(' Ada'), finish(12, 7)];
    expect(await readAll(await stream(modelOf(parts)))).toEqual(parts);
    expect(await meter()).toEqual({ used: 19, held: undefined });
    const result = await middleware.wrapStream({ params: call, model: modelOf([]) });
    expect(result).toMatchObject({ request: { body: 'sent' } });
    await result.stream.cancel();
  });

  test('that is cancelled is settled with what was received, and the model stops', async () => {
    const { meter, stream } = open();
    const model = modelOf([text('x'.repeat(40)), text('y'), finish(12, 7)]);
    const reader = (await stream(model)).getReader();
    await reader.read();
    await reader.cancel('closed');
    expect(model.cancelled()).toBe('closed');
    expect(await meter()).toEqual({ used: RECEIVED_FOR + 10, held: undefined });
  });

  test('that is cancelled while the model thinks has used nothing', async () => {
    const { meter, stream } = open();
    const model = modelOf([new Promise<Part>(() => {})]);
    const reader = (await stream(model)).getReader();
    const reading = reader.read();
    await reader.cancel();
    expect(await reading).toMatchObject({ done: true });
    expect(await meter()).toEqual({ used: 0, held: undefined });
  });

  test('that fails before its first part has used nothing, and keeps its error', async () => {
    const { middleware, meter, stream } = open();
    const doStream = async (): Promise<{ stream: ReadableStream<Part> }> => {
      throw new Error('Refused');
    };
    await expect(middleware.wrapStream({ params: call, model: { doStream } })).rejects.toThrow('Refused');
    await expect(readAll(await stream(modelOf([new Error('Reset')])))).rejects.toThrow('Reset');
    expect(await meter()).toEqual({ used: 0, held: undefined });
  });

  test('that fails in the middle is settled with what was received, or what was reported', async () => {
    const { meter, stream } = open();
    const received = [text('x'.repeat(40)), new Error('Reset')];
    await expect(readAll(await stream(modelOf(received)))).rejects.toThrow('Reset');
    expect(await meter()).toEqual({ used: RECEIVED_FOR + 10, held: undefined });
    const reported = [text('x'.repeat(40)), finish(3, 4), new Error('Reset')];
    await expect(readAll(await stream(modelOf(reported)))).rejects.toThrow('Reset');
    expect(await meter()).toEqual({ used: RECEIVED_FOR + 17, held: undefined });
  });

  test('that ends without a report is estimated, its tool calls once', async () => {
    const { meter, stream } = open();
    const input = '{"city":"Rome"}';
    const parts = [
      { type: 'tool-input-delta', id: 't', delta: input },
      { type: 'tool-call', toolCallId: 't', toolName: 'weather', input },
    ];
    await readAll(await stream(modelOf(parts)));
    expect(await meter()).toMatchObject({ used: RECEIVED_FOR + Math.ceil(input.length / 4) });
  });

  test('is held for as long as it lasts, also before its first part', async () => {
    const { meter, stream } = open({ lastsMs: 60_000 });
    let answer = (_: Part): void => {};
    const slow = new Promise<Part>((resolve) => {
      answer = resolve;
    });
    const reading = readAll(await stream(modelOf([slow, finish(12, 7)])));
    for (let minute = 0; minute < 60; minute++) {
      await vi.advanceTimersByTimeAsync(60_000);
      expect(await meter()).toEqual({ used: 0, held: SENT + 100 });
    }
    answer(text('Hi'));
    await reading;
    expect(await meter()).toEqual({ used: 19, held: undefined });
  });

  test('that nobody reads is not held for longer, and is settled if it is read after all', async () => {
    const { meter, stream } = open({ lastsMs: 60_000 });
    const left = await stream(modelOf([text('Hi'), finish(12, 7)]));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(await meter()).toEqual({ used: 0, held: undefined });
    await readAll(left);
    expect(await meter()).toEqual({ used: 19, held: undefined });
  });

  test('arrives whole if its settlement is lost, which is tried again', async () => {
    const { fake, meter, stream } = open();
    const parts = [text('Hi'), finish(12, 7)];
    const reading = stream(modelOf(parts)).then((opened) => {
      fake.fail('silent', 3);
      return readAll(opened);
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await reading).toEqual(parts);
    expect(await meter()).toEqual({ used: 19, held: undefined });
  });
});

describe('with less left than a call can cost', () => {
  test('the model is not called, and the error has the meter', async () => {
    const { middleware, meter } = open({}, 60);
    const model = modelOf([finish(1, 1)]);
    const refused = middleware.wrapStream({ params: call, model }).catch((error: unknown) => error);
    const error = (await refused) as LimitReachedError;
    expect(error).toBeInstanceOf(LimitReachedError);
    expect(error).not.toBeInstanceOf(TesseraError);
    expect(error).toMatchObject({ name: 'LimitReachedError', meter: { limit: 60, used: 0, remaining: 60 } });
    expect(model.seen).toEqual([]);
    expect(await meter()).toEqual({ used: 0, held: undefined });
  });

  test('none at all is said apart', async () => {
    const { fake, middleware } = open();
    fake.set('ada', { [METER]: 'off' });
    const refused = middleware.wrapGenerate({ params: call, model: modelOf([]) });
    await expect(refused).rejects.toThrow('The customer’s plans have no analytics.exports');
  });

  test('a reply is shortened to it', async () => {
    const { meter, stream } = open({ orLess: true }, SENT + 40);
    const model = modelOf([text('Hi'), finish(12, 7)]);
    await readAll(await stream(model));
    expect(model.seen).toMatchObject([{ maxOutputTokens: 40 }]);
    expect(await meter()).toMatchObject({ used: 19 });
  });

  test('a reply of a few tokens is none, and nothing stays held', async () => {
    const { middleware, meter } = open({ orLess: true }, SENT + 15);
    const model = modelOf([finish(1, 1)]);
    await expect(middleware.wrapGenerate({ params: call, model })).rejects.toThrow(LimitReachedError);
    expect(model.seen).toEqual([]);
    expect(await meter()).toEqual({ used: 0, held: undefined });
  });

  test('of two calls at once over one balance, one is refused until the other is settled', async () => {
    const { stream, meter } = open({}, SENT + 150);
    const parts = [text('Hi'), finish(12, 7)];
    const opened = await Promise.allSettled([stream(modelOf(parts)), stream(modelOf(parts))]);
    expect(opened.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const each of opened) if (each.status === 'fulfilled') await readAll(each.value);
    await readAll(await stream(modelOf(parts)));
    expect(await meter()).toEqual({ used: 38, held: undefined });
  });
});

test.each([
  [{ maxOutputTokens: 0 }, 'maxOutputTokens must be a whole number of at least 1, not 0'],
  [{ maxOutputTokens: Number.NaN }, 'maxOutputTokens'],
  [{ perToken: { input: -1 } }, 'input must be at least 0, not -1'],
])('options that mean nothing are refused: %j', (options, message) => {
  expect(() => open(options)).toThrow(message);
});
