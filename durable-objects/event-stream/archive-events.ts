/**
 * Moves events that are past their retention to the archive. A departure is written down before it begins and its object
 * is named then, so that whatever is interrupted is done again with the same content under the same name; events are
 * deleted only after the archive has them.
 */
export interface Departure {
  /** Key of the archive's object. */
  readonly object: string;
  /** The object's content, a piece at a time: NDJSON. */
  readonly content: () => Iterable<string>;
}

export interface ArchiveEffects {
  /** The departure that was begun, or a new one of chunks older than this; null: nothing is left to move. */
  readonly nextDeparture: (before: number) => Departure | null;
  readonly put: (object: string, gzipped: ArrayBuffer) => Promise<void>;
  /** Deletes what has been archived; in one transaction. */
  readonly depart: (departure: Departure) => void;
  readonly mayGoOn: () => boolean;
}

/** @returns whether everything older than `before` has been moved */
export async function archiveEvents(before: number, effects: ArchiveEffects): Promise<boolean> {
  while (effects.mayGoOn()) {
    const departure = effects.nextDeparture(before);
    if (departure === null) return true;
    await effects.put(departure.object, await gzip(departure.content()));
    effects.depart(departure);
  }
  return false;
}

async function gzip(pieces: Iterable<string>): Promise<ArrayBuffer> {
  const encoder = new TextEncoder();
  const compression = new CompressionStream('gzip');
  const compressed = new Response(compression.readable).arrayBuffer();
  const writer = compression.writable.getWriter();
  for (const piece of pieces) await writer.write(encoder.encode(piece));
  await writer.close();
  return compressed;
}
