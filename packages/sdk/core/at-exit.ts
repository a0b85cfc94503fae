/** What a Node process does with counted usage when it ends by itself: it sends it, and says what it could not send. */

interface Waiting {
  readonly items: { readonly size: number };
  /** A flush did, and nothing was sent since: how long to wait was the application's decision. */
  readonly hasGivenUp: boolean;
  /** Bounded in time. Never rejects. */
  send(): Promise<unknown>;
}

interface Process {
  once?(event: 'beforeExit' | 'exit', listener: () => void): unknown;
}

/** Buffers with updates. */
const waiting = new Set<Waiting>();
let isWatching = false;

export function watchExit(buffer: Waiting): void {
  waiting.add(buffer);
  const { process } = globalThis as { process?: Process };
  if (isWatching) return;
  isWatching = true;
  // Once: Node asks again after the work that this causes.
  process?.once?.('beforeExit', () => {
    for (const { hasGivenUp, send } of waiting) if (!hasGivenUp) void send();
  });
  process?.once?.('exit', () => {
    for (const { items } of waiting) {
      // biome-ignore lint/suspicious/noConsole: nobody else can say it
      console.error(`tessera-sdk: ended before ${items.size} updates were sent`);
    }
  });
}

/** @param buffer that is empty */
export function unwatchExit(buffer: Waiting): void {
  waiting.delete(buffer);
}
