/**
 * The calls that public/apply-theme.js has started while the console's code was loading: each is the answer to the first call of its
 * address. `fetch` for calls that read.
 */
interface Started {
  readonly answer: Promise<Response>;
  /** Epoch milliseconds, by the browser's clock. */
  readonly sentAt: number;
}

const started: Map<string, Started> =
  (globalThis as { startedCalls?: Map<string, Started> }).startedCalls ?? new Map();

export function firstOrFetch(url: string, init: RequestInit): Started {
  const found = init.method === 'GET' ? started.get(url) : undefined;
  started.delete(url);
  return found ?? { answer: fetch(url, init), sentAt: Date.now() };
}

/** From now on every call is sent: what was not read at the start is old by the time that it is. */
export const forgetFirstCalls = (): void => started.clear();
