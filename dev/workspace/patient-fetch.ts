// A busy server refuses calls for a moment: what it answers with 503 or 429 is asked again after its Retry-After.

/** A busy computer needs its time; after this, something else is wrong. */
const PATIENCE_MS = 120_000;
/** Longer pauses are limits that a caller has to know of, such as the month's allowance. */
const MAX_PAUSE_MS = 15_000;
const DEFAULT_PAUSE_MS = 1_000;

interface Clock {
  now(): number;
  wait(ms: number): Promise<void>;
}

const systemClock: Clock = {
  now: Date.now,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/**
 * As `fetch`, for requests whose body is a text.
 * @returns the last answer, a refusal too if the server did not recover within two minutes, or says that it will not
 */
export async function patientFetch(
  url: string,
  init: RequestInit,
  { now, wait }: Clock = systemClock,
  send: typeof fetch = fetch,
): Promise<Response> {
  const endsAt = now() + PATIENCE_MS;
  for (;;) {
    const response = await send(url, init);
    if (response.status !== 503 && response.status !== 429) return response;
    const pauseMs = pauseOf(response);
    if (pauseMs > MAX_PAUSE_MS || now() + pauseMs > endsAt) return response;
    await response.arrayBuffer();
    await wait(pauseMs);
  }
}

function pauseOf({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return seconds > 0 ? seconds * 1000 : DEFAULT_PAUSE_MS;
}
