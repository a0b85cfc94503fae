/**
 * Limits the calls of each API key: by key for secret keys, by key and client network for public ones. The isolate counts in
 * memory, and counts with the platform's rate limiter in steps, after the response: a call never waits for it. See
 * worker/domains/access/README.md, "Rate limits".
 */
import { BoundedCache } from '#engine/cache/bounded-cache';
import { log } from '#runtime/log';
import type { KeyRecord, WaitUntil } from '#worker/domains/snapshots/snapshot-cache';
import type { Env } from '#worker/env';
import { Refusal } from '#worker/http/api-error';
import { clientNetwork } from '#worker/http/client-network';
import { refusedHeaders } from './rate-limit-headers.ts';

const WINDOW_S = 60;
const WINDOW_MS = WINDOW_S * 1_000;
/** The limit of API_RATE_LIMIT in wrangler.toml, in steps a minute. A limit of 6,000 calls counts 100 calls as one step. */
const STEPS = 60;
const MAX_COUNTERS = 20_000;

/** The calls of one key, or of one key and network, in this isolate. */
interface Counter {
  /** Start of the window. */
  startedAt: number;
  calls: number;
  /** Calls since the last step. They stay when a window ends, so that isolates with few calls count them in the end. */
  uncounted: number;
  /** The platform's limiter has refused a step of this window: other isolates used up the limit. */
  isRefused: boolean;
}

const counters = new BoundedCache<string, Counter>(MAX_COUNTERS / 2);
const numbers = new Intl.NumberFormat('en-GB');

export interface CallAllowance {
  readonly limit: number;
  /** As far as this isolate knows: other isolates may have counted more. */
  readonly remaining: number;
  readonly resetsInS: number;
}

/** @throws {ApiError} rate-limited */
export function takeCall(
  env: Pick<Env, 'API_RATE_LIMIT'>,
  { id, type, rateLimit }: KeyRecord,
  request: Request,
  now: number,
  waitUntil: WaitUntil,
): CallAllowance {
  const name = type === 'secret' ? id : `${id} ${clientNetwork(request)}`;
  let counter = counters.get(name);
  if (counter === undefined) {
    counter = { startedAt: 0, calls: 0, uncounted: 0, isRefused: false };
    counters.set(name, counter);
  }
  if (now - counter.startedAt >= WINDOW_MS) {
    counter.startedAt = now - (now % WINDOW_MS);
    counter.calls = 0;
    counter.isRefused = false;
  }
  const resetsInS = Math.max(1, Math.ceil((counter.startedAt + WINDOW_MS - now) / 1_000));
  if (counter.isRefused || counter.calls >= rateLimit) throw refusal(type, rateLimit, resetsInS);
  counter.calls += 1;
  counter.uncounted += 1;
  if (counter.uncounted >= rateLimit / STEPS) {
    counter.uncounted = 0;
    waitUntil(countStep(env, `${name} ${rateLimit}`, counter));
  }
  return { limit: rateLimit, remaining: rateLimit - counter.calls, resetsInS };
}

/** Never throws: without the platform's limiter, the isolate's own count is the limit. */
async function countStep(
  { API_RATE_LIMIT }: Pick<Env, 'API_RATE_LIMIT'>,
  key: string,
  counter: Counter,
): Promise<void> {
  const { startedAt } = counter;
  try {
    const { success } = await API_RATE_LIMIT.limit({ key });
    if (!success && counter.startedAt === startedAt) counter.isRefused = true;
  } catch (error) {
    log.warn('calls could not be counted with the rate limiter', { error });
  }
}

function refusal(type: KeyRecord['type'], limit: number, resetsInS: number): Refusal {
  const each = type === 'secret' ? '' : ' per client';
  return new Refusal(
    'rate-limited',
    'too-many-calls',
    `This key is limited to ${numbers.format(limit)} calls a minute${each}. Try again in ${resetsInS} s.`,
    { headers: refusedHeaders(limit, resetsInS) },
  );
}
