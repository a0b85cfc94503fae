// Writes a package as npm packs it, with the same bytes on every machine: no times, no owners, and compressed by JavaScript. What Node's
// zlib writes depends on the processor, and on who built it.
import { gzipSync } from 'fflate';

const BLOCK = 512;
/** 1985-10-26T08:15:00Z, as in every package of npm: some unpackers refuse 1970. */
const MTIME = 499_162_500;
/** `mem` is given because its default is a logarithm, which engines may round as they like; all else is computed with integers. */
const COMPRESSION = { level: 9, mem: 8, mtime: 0 } as const;

/** @param files texts by path */
export function packTarball(files: ReadonlyMap<string, string>): Buffer {
  const sorted = [...files].sort(byLikeness);
  const entries = sorted.flatMap(([path, text]) => {
    const content = Buffer.from(text);
    const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
    return [header(`package/${path}`, content.length), content, padding];
  });
  return Buffer.from(gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]), COMPRESSION));
}

type File = readonly [path: string, text: string];

/** Files of both module formats beside each other, also those that are named by a hash: what is repeated at once compresses. */
function byLikeness(one: File, other: File): number {
  const [name, otherName] = [nameOf(one), nameOf(other)];
  if (name !== otherName) return name < otherName ? -1 : 1;
  return one[1].length - other[1].length || (one[0] < other[0] ? -1 : 1);
}

const nameOf = ([path]: File) => path.replace(/-[\w-]+\.m?js$/, '').replace(/\.m?js$/, '');

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
