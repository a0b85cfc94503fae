/**
 * Models of the AI SDK whose calls are paid from a meter: each call holds what it can cost at most, and is settled with what the provider
 * reports. For servers. Everything public of this entry is declared here.
 */
import { heldCalls } from './core/held-calls.ts';
import { LimitReached } from './core/limit-reached.ts';
import type { Identified, Meter, Path, Tessera } from './index.ts';

export interface HoldUsageOptions {
  readonly on: Identified;
  /** Of a call at most: it is held, and given to the model, unless the call asks for less. */
  readonly maxOutputTokens: number;
  /** What a token costs, in the unit that the meter counts. The sum of a call is rounded up. Default: 1 each. */
  readonly perToken?: { readonly input?: number; readonly output?: number } | undefined;
  /** With less left than a call can cost, the reply is shortened to it. Default: the call is refused. */
  readonly orLess?: boolean | undefined;
  /**
   * How many tokens a text takes. Default, of its bytes in UTF-8: a third of what is sent, so that enough is held, and a quarter of what is
   * received from a provider that reports no usage.
   */
  readonly tokensOf?: ((text: string) => number) | undefined;
  /** How long a hold lasts, which is extended while its call goes on. Default 120,000: what a killed process holds is free again then. */
  readonly lastsMs?: number | undefined;
}

/** What the model is asked, as far as it matters here. */
export interface ModelCall {
  readonly prompt: unknown;
  readonly tools?: unknown;
  readonly maxOutputTokens?: number | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** For `wrapLanguageModel` of `ai`, version 5 and later. */
export interface ModelMiddleware {
  /** The middleware is one of any version, whichever its user's types ask for. */
  readonly specificationVersion: never;
  readonly wrapGenerate: <Call extends ModelCall, Result>(options: {
    readonly params: Call;
    readonly model: { doGenerate(params: Call): PromiseLike<Result> };
  }) => Promise<Result>;
  readonly wrapStream: <Call extends ModelCall, Result>(options: {
    readonly params: Call;
    readonly model: { doStream(params: Call): PromiseLike<Result> };
  }) => Promise<Result>;
}

/** The model was not called, because what the call can cost does not fit the limit. */
export interface LimitReachedError extends Error {
  readonly name: 'LimitReachedError';
  readonly meter: Meter;
}
/** For `instanceof`. */
export const LimitReachedError: { readonly prototype: LimitReachedError; new (): LimitReachedError } =
  LimitReached as never;

/**
 * `wrapLanguageModel({ model, middleware: holdUsage(tessera, 'ai-calls.credits', { on, maxOutputTokens: 2_000 }) })`. A stream that is cancelled or
 * fails is settled with what was reported until then, or what was received. Calls reject with a LimitReachedError, or with a TesseraError
 * where nothing could be held.
 * @throws {TesseraError} invalid-request naming an option
 */
export function holdUsage(tessera: Tessera, meter: Path<Meter>, options: HoldUsageOptions): ModelMiddleware {
  return heldCalls(tessera, meter, options);
}
