/** The isolate's one snapshot cache. */
import type { Env } from '#worker/env';
import { pullSnapshot } from './pull-snapshot.ts';
import { SnapshotCache } from './snapshot-cache.ts';

const caches = new WeakMap<Env, SnapshotCache>();

export function snapshotCacheOf(env: Env): SnapshotCache {
  let cache = caches.get(env);
  if (cache === undefined) {
    cache = new SnapshotCache({
      pull: (environmentId, known, place) => pullSnapshot(env, environmentId, known, place),
      now: Date.now,
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    caches.set(env, cache);
  }
  return cache;
}
