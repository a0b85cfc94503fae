/**
 * Rows of stored chunks. The shapes and lines of a chunk are compressed together, to about a quarter, before they are written: a row
 * that is written once costs less than one that is compressed later. A chunk of few events stays plain, because it would get little smaller.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ChunkText } from '#engine/events/chunk-text';

/** UTF-16 units of shapes and lines. Shorter chunks are not worth the processor time. */
const MIN_PACKED_LENGTH = 2_500;
/** The fastest: a higher level takes up to three times as long, for 5% fewer bytes. */
const LEVEL = 1;
/** Neither shapes nor lines of one section contain an empty line, and the shapes of several are on one line each. */
const SEPARATOR = '\n\n';

export interface ChunkRow {
  readonly [column: string]: SqlStorageValue;
  readonly key: number;
  readonly arrival: number;
  readonly env_id: string;
  readonly texts: string;
  /** Shapes and lines, compressed; null if they are in their own columns, which are empty otherwise. */
  readonly packed: ArrayBuffer | null;
  readonly shapes: string;
  readonly lines: string;
}

/** A chunk as it is read. */
export interface Chunk extends ChunkText {
  readonly key: number;
  readonly arrival: number;
  readonly envId: string;
}

/** The columns of a chunk's text. */
export function packChunk({ shapes, lines, texts }: ChunkText): Pick<ChunkRow, keyof ChunkText | 'packed'> {
  if (shapes.length + lines.length < MIN_PACKED_LENGTH) return { texts, shapes, lines, packed: null };
  const { buffer, byteOffset, byteLength } = deflateRawSync(`${shapes}${SEPARATOR}${lines}`, {
    level: LEVEL,
  });
  const packed = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  return { texts, packed, shapes: '', lines: '' };
}

export function unpackChunk({ key, arrival, env_id: envId, texts, packed, ...plain }: ChunkRow): Chunk {
  const chunk = { key, arrival, envId, texts };
  if (packed === null) return { ...chunk, shapes: plain.shapes, lines: plain.lines };
  const text = inflateRawSync(new Uint8Array(packed)).toString();
  const end = text.indexOf(SEPARATOR);
  return { ...chunk, shapes: text.slice(0, end), lines: text.slice(end + SEPARATOR.length) };
}
