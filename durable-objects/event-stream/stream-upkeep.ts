/** What a stream does by alarm: archives events past their retention, and rebuilds its index. Each run takes a few seconds at most. */
import { DAY_MS } from '#engine/durations';
import { log } from '#runtime/log';
import { archiveEvents } from './archive-events.ts';
import type { ArchiveQueue } from './archive-queue.ts';
import type { EventStore } from './event-store.ts';
import type { IndexRebuild } from './rebuild-index.ts';
import type { Retention } from './retention.ts';
import type { Settings } from './settings.ts';
import type { TextStore } from './text-store.ts';

/** Batches an hour's events into one archive run. */
export const ARCHIVE_PAUSE_MS = 3_600_000;
const RETRY_PAUSE_MS = 300_000;
const MAX_ARCHIVING_MS = 20_000;
const MAX_REBUILDING_MS = 5_000;

export interface UpkeepParts {
  readonly store: EventStore;
  readonly texts: TextStore;
  readonly settings: Settings;
  readonly rebuild: IndexRebuild;
  readonly retention: Retention;
  readonly archiveQueue: ArchiveQueue;
  readonly bucket: () => Pick<R2Bucket, 'put'>;
}

/** What the object does after a run. */
export interface UpkeepEffects {
  /** Sets the alarm for the next archive run, at least `pauseMs` from now. */
  readonly setArchiveAlarm: (pauseMs: number) => Promise<void>;
  readonly setAlarm: (at: number) => Promise<void>;
  /** The stream is being erased: archive nothing more. */
  readonly isErasing: () => boolean;
}

export class StreamUpkeep {
  readonly #parts: UpkeepParts;
  readonly #effects: UpkeepEffects;

  constructor(parts: UpkeepParts, effects: UpkeepEffects) {
    this.#parts = parts;
    this.#effects = effects;
  }

  async archive(startedAt: number): Promise<void> {
    const { store, texts, settings, retention, archiveQueue, bucket } = this.#parts;
    try {
      const before = startedAt - retention.ms;
      const isDone = await archiveEvents(before, {
        nextBatch: (time) => archiveQueue.next(retention.isOversize ? startedAt : time),
        put: async (object, gzipped) => {
          await bucket().put(object, gzipped, {
            httpMetadata: { contentType: 'application/x-ndjson', contentEncoding: 'gzip' },
          });
        },
        deleteBatch: (batch) => archiveQueue.deleteBatch(batch),
        hasTimeLeft: () => !this.#effects.isErasing() && Date.now() - startedAt < MAX_ARCHIVING_MS,
      });
      if (isDone && (store.oldestAt() ?? startedAt) >= before) texts.deleteUnused(before - DAY_MS);
      settings.set('archived_at', String(startedAt));
      await this.#effects.setArchiveAlarm(isDone ? ARCHIVE_PAUSE_MS : 0);
    } catch (error) {
      log.error('events could not be archived', { orgId: settings.get('org_id'), error });
      await this.#effects.setAlarm(Date.now() + RETRY_PAUSE_MS);
    }
  }

  /** Comes before archiving: a group that leaves can no longer be read. */
  async continueRebuild(startedAt: number): Promise<void> {
    const { rebuild, settings } = this.#parts;
    let isMore = true;
    try {
      while (isMore && Date.now() - startedAt < MAX_REBUILDING_MS) isMore = rebuild.next();
      await this.#effects.setAlarm(Date.now());
    } catch (error) {
      log.error('the log index could not be rebuilt', { orgId: settings.get('org_id'), error });
      await this.#effects.setAlarm(Date.now() + RETRY_PAUSE_MS);
    }
  }
}
