/** The isolate's one snapshot cache. */

import { systemClock } from '#runtime/clock';
import type { Env } from '#worker/env';
import { pullSnapshot } from './pull-snapshot.ts';
import { SnapshotCache } from './snapshot-cache.ts';

const caches = new WeakMap<Env, SnapshotCache>();

export function snapshotCacheOf(env: Env): SnapshotCache {
  let cache = caches.get(env);
  if (cache === undefined) {
    cache = new SnapshotCache({
      pull: (...wanted) => pullSnapshot(env, ...wanted),
      now: systemClock.now,
      wait: (ms) => new Promise((resolve) => void systemClock.after(ms, resolve)),
    });
    caches.set(env, cache);
  }
  return cache;
}
