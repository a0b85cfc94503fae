/** Extends a hold for as long as somebody waits for the work that it is for: what nobody waits for any more ends by itself. */
import type { Hold } from '../holds.ts';

export interface HoldKeeper {
  during<Result>(work: () => PromiseLike<Result>): Promise<Result>;
  stop(): void;
}

/** @param lastsMs how long the hold lasts from now, and is extended each time */
export function keepHold(hold: Hold, lastsMs: number): HoldKeeper {
  let isWaiting = false;
  /** It would have been extended, had somebody waited. */
  let isDue = false;
  let hasStopped = false;
  let timer: { readonly unref?: () => void } | undefined;

  function watch(): void {
    isDue = false;
    timer = setTimeout(() => {
      isDue = true;
      if (isWaiting) extend();
    }, lastsMs / 2) as unknown as typeof timer;
    timer?.unref?.();
  }

  function extend(): void {
    watch();
    // Where it fails the hold ends, and can be settled all the same.
    hold.extend({ lastsMs }).catch(() => {});
  }

  watch();
  return {
    async during(work) {
      isWaiting = true;
      if (isDue && !hasStopped) extend();
      try {
        return await work();
      } finally {
        isWaiting = false;
      }
    },
    stop() {
      hasStopped = true;
      clearTimeout(timer as never);
    },
  };
}
