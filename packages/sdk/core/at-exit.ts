/** What a Node process does with counted usage when it ends by itself: it sends it, and says what it could not send. */

interface Waiting {
  readonly size: number;
  /** A flush did, and nothing was sent since: how long to wait was the application's decision. */
  readonly hasGivenUp: boolean;
  /** Bounded in time. Never rejects. */
  send(): Promise<unknown>;
}

interface Process {
  readonly versions?: { readonly node?: string };
  on?(event: 'beforeExit' | 'exit', listener: () => void): unknown;
}

/** Buffers with updates. */
const waiting = new Set<Waiting>();
let isWatching = false;

export function watchExit(buffer: Waiting): void {
  waiting.add(buffer);
  const { process } = globalThis as { process?: Process };
  if (isWatching || !process?.versions?.node) return;
  isWatching = true;
  /** Node asks again after the work that this causes: what gave up must not keep the process alive. */
  const sent = new WeakSet<Waiting>();
  process.on?.('beforeExit', () => {
    for (const each of waiting) {
      if (!sent.has(each) && !each.hasGivenUp) void each.send();
      sent.add(each);
    }
  });
  process.on?.('exit', () => {
    let count = 0;
    for (const { size } of waiting) count += size;
    // biome-ignore lint/suspicious/noConsole: nobody else can say it
    if (count > 0) console.error(`tessera-sdk: ended before ${count} counted updates were sent`);
  });
}

/** @param buffer that is empty */
export function unwatchExit(buffer: Waiting): void {
  waiting.delete(buffer);
}
