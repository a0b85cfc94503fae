// Writes a package as npm packs it, with the same bytes on every machine: no times, no owners, and nothing compressed, since compressors
// differ by processor. Serving it may compress it.
import { crc32 } from 'node:zlib';

const BLOCK = 512;
/** Bytes of a stored block of deflate (RFC 1951 section 3.2.4). */
const MAX_STORED = 0xffff;
/** 1985-10-26T08:15:00Z, as in every package of npm: some unpackers refuse 1970. */
const MTIME = 499_162_500;

/** @param files texts by path */
export function packTarball(files: ReadonlyMap<string, string>): Buffer {
  const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  const entries = sorted.flatMap(([path, text]) => {
    const content = Buffer.from(text);
    const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
    return [header(`package/${path}`, content.length), content, padding];
  });
  return gzipStored(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]));
}

/** A header of ustar (POSIX.1-1988). */
function header(path: string, size: number): Buffer {
  if (path.length > 100) throw new Error(`The path is longer than a header takes: ${path}`);
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  const fields: [number, string][] = [
    [0, path],
    [100, octal(0o644, 7)],
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal(size, 11)],
    [136, octal(MTIME, 11)],
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\x0000'],
  ];
  for (const [at, text] of fields) block.write(text, at, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

/** RFC 1952. */
function gzipStored(data: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])];
  for (let at = 0; at < data.length; at += MAX_STORED) {
    const stored = data.subarray(at, at + MAX_STORED);
    const head = Buffer.alloc(5);
    head.writeUInt8(at + MAX_STORED >= data.length ? 1 : 0, 0);
    head.writeUInt16LE(stored.length, 1);
    head.writeUInt16LE(stored.length ^ MAX_STORED, 3);
    parts.push(head, stored);
  }
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(data), 0);
  tail.writeUInt32LE(data.length % 2 ** 32, 4);
  return Buffer.concat([...parts, tail]);
}
