/**
 * Calls of a model, each with a hold: of what it sends and may receive at most, extended while it lasts, and settled once, however it ends.
 * Nothing about the hold ever fails a call that the model has answered.
 */
import type { HoldUsageOptions, ModelCall, ModelMiddleware } from '../ai.ts';
import type { Hold } from '../holds.ts';
import type { Tessera } from '../index.ts';
import { RaisedError } from './error.ts';
import { keepHold } from './keep-hold.ts';
import { LimitReached } from './limit-reached.ts';
import { observedStream } from './observed-stream.ts';
import { openHoldOf } from './open-hold.ts';
import { estimateTokens, inputTokens, reportedTokens, type Tokens, textOf } from './token-usage.ts';

/** Some providers take no fewer. */
const LEAST_OUTPUT = 16;
/** Of UTF-8. */
const SENT_BYTES = 3;
const RECEIVED_BYTES = 4;
const LASTS_MS = 120_000;

interface Held<Call> {
  /** With the maximum that is held. */
  readonly call: Call;
  /** What the model has said so far. */
  receive(part: unknown): void;
  /** Keeps the hold open for as long as work takes. */
  during<Result>(work: () => PromiseLike<Result>): Promise<Result>;
  /** Settles once. Never rejects. */
  end(usage?: unknown): Promise<void>;
}

export function heldCalls(tessera: Tessera, path: string, options: HoldUsageOptions): ModelMiddleware {
  const { on, orLess = false, lastsMs = LASTS_MS, perToken: { input = 1, output = 1 } = {} } = options;
  const { tokensOf } = options;
  ensureOptions({ maxOutputTokens: options.maxOutputTokens, input, output });
  const sentTokens = tokensOf ?? ((text: string) => estimateTokens(text, SENT_BYTES));
  const receivedTokens = tokensOf ?? ((text: string) => estimateTokens(text, RECEIVED_BYTES));
  /** Without what binary fractions add: 70 tokens of 0.1 are 7. */
  const amountOf = (tokens: Tokens) =>
    Math.ceil(Number((tokens.input * input + tokens.output * output).toFixed(6)));

  async function open<Call extends ModelCall>(params: Call): Promise<Held<Call>> {
    const { prompt, tools, abortSignal: signal } = params;
    const sent = [prompt, tools];
    const most = Math.min(params.maxOutputTokens ?? Number.POSITIVE_INFINITY, options.maxOutputTokens);
    const expected = { input: inputTokens(sent, sentTokens), output: most };
    const wanted = Math.max(1, amountOf(expected));
    const holding = openHoldOf(tessera, path, { on, amount: wanted, orLess, lastsMs, signal });
    const held = await holding.catch((error) => {
      // What the AI SDK takes for an abort.
      throw signal?.aborted ? signal.reason : error;
    });
    if (!held.accepted) throw new LimitReached(path, held.meter);
    const left = Math.floor((held.amount - expected.input * input) / output);
    const maxOutputTokens = held.amount < wanted ? left : most;
    if (maxOutputTokens < Math.min(LEAST_OUTPUT, most)) {
      await released(held);
      throw new LimitReached(path, held.meter);
    }
    const keeper = keepHold(held, lastsMs);
    let received = '';
    let hasToolInput = false;
    let ending: Promise<void> | null = null;

    /** Without a word of the model nothing was used, unless the provider says so. */
    function usedOf(usage: unknown): number {
      const reported = reportedTokens(usage);
      const isReported = reported.input !== undefined || reported.output !== undefined;
      if (received === '' && !isReported) return 0;
      return amountOf({
        input: reported.input ?? inputTokens(sent, receivedTokens),
        output: reported.output ?? receivedTokens(received),
      });
    }

    return {
      call: { ...params, maxOutputTokens },
      receive(part) {
        const { type } = Object(part);
        hasToolInput ||= type === 'tool-input-delta';
        // It repeats what its deltas were.
        if (type !== 'tool-call' || !hasToolInput) received += textOf(part);
      },
      during: keeper.during,
      end(usage) {
        keeper.stop();
        ending ??= (async () => held.settle(usedOf(usage)))().then(nothing, nothing);
        return ending;
      },
    };
  }

  return {
    specificationVersion: 'v4' as never,
    async wrapGenerate({ params, model }) {
      const { call, during, receive, end } = await open(params);
      try {
        const result = await during(() => model.doGenerate(call));
        const { content, usage } = Object(result);
        if (Array.isArray(content)) content.forEach(receive);
        await end(usage);
        return result;
      } finally {
        await end();
      }
    },
    async wrapStream({ params, model }) {
      const { call, during, receive, end } = await open(params);
      try {
        const result = await during(() => model.doStream(call));
        const { stream } = result as { stream: ReadableStream<unknown> };
        const observed = observedStream(stream, {
          during,
          end,
          observe(part) {
            if (Object(part).type === 'finish') void end(Object(part).usage);
            else receive(part);
          },
        });
        return { ...result, stream: observed };
      } catch (error) {
        await end();
        throw error;
      }
    },
  };
}

/** @throws {TesseraError} */
function ensureOptions(options: Readonly<Record<string, number>>): void {
  const [wrong] =
    Object.entries(options).find(([name, value]) =>
      name === 'maxOutputTokens' ? !(Number.isInteger(value) && value > 0) : !(value >= 0),
    ) ?? [];
  if (wrong === undefined) return;
  const rule = wrong === 'maxOutputTokens' ? 'a whole number of at least 1' : 'at least 0';
  throw new RaisedError('invalid-request', `${wrong} must be ${rule}, not ${options[wrong]}`);
}

/** A settlement that fails is tried again by itself, and the client says what was refused. */
const nothing = () => {};

function released(held: Hold): Promise<void> {
  return held.release().then(nothing, nothing);
}
