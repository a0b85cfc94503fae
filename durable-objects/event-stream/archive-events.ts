/**
 * Moves events past their retention to the archive in R2. A batch is queued under its object name before it is written,
 * so an interrupted move repeats with the same content and the same name. Events are deleted only after R2 has them.
 */
import { gzip } from '#runtime/gzip';
export interface ArchiveBatch {
  /** Key of the R2 object. */
  readonly object: string;
  /** NDJSON, one piece at a time. */
  readonly content: () => Iterable<string>;
}

export interface ArchiveEffects {
  /** The batch that is already queued, or a new one of chunks older than `before`; null when nothing is left to move. */
  readonly nextBatch: (before: number) => ArchiveBatch | null;
  readonly put: (object: string, gzipped: ArrayBuffer) => Promise<void>;
  /** Deletes the batch's events from the stream, in one transaction. */
  readonly deleteBatch: (batch: ArchiveBatch) => void;
  readonly hasTimeLeft: () => boolean;
}

/** @returns whether everything older than `before` is archived; false if time ran out */
export async function archiveEvents(before: number, effects: ArchiveEffects): Promise<boolean> {
  while (effects.hasTimeLeft()) {
    const batch = effects.nextBatch(before);
    if (batch === null) return true;
    await effects.put(batch.object, await gzip(batch.content()));
    effects.deleteBatch(batch);
  }
  return false;
}
