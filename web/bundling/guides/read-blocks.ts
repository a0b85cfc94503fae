/**
 * Reads the part of Markdown that guides are written in: headings, paragraphs, lists, code with a file's name, links to guides. Anything
 * else is refused, so that a page never shows marks where the Markdown shows a table or an image.
 */
import { LOCAL_INSTALL_MARK } from '../../../packages/contracts/public/fill-in.ts';
import type { Block, Inline } from '../../domains/guides/parts/blocks.ts';

const FENCE = /^```\w* title="([^"]+)"$/;

/** A line that begins a heading of another level, a quote, a table, a numbered list, markup, an image or an indented block. */
const UNKNOWN = /^(?:#(?!##? )|>|\||\d+\. |<|!\[|```| )/;

/** @throws {Error} that quotes what it cannot read */
export function readBlocks(markdown: string): Block[] {
  const lines = markdown.trimEnd().split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const [, file] = FENCE.exec(line) ?? [];
    if (file !== undefined) {
      const end = lines.indexOf('```', at + 1);
      if (end < 0) throw new Error(`The code of ${file} does not end`);
      blocks.push({ kind: 'code', file, code: lines.slice(at + 1, end).join('\n') });
      at = end + 1;
      continue;
    }
    let end = at;
    while (end < lines.length && lines[end] !== '') end++;
    if (end > at) blocks.push(readParagraph(lines.slice(at, end)));
    at = end + 1;
  }
  return blocks;
}

function readParagraph(lines: readonly string[]): Block {
  const [first = ''] = lines;
  if (first === LOCAL_INSTALL_MARK && lines.length === 1) return { kind: 'localInstall' };
  const [, marks, heading] = /^(###?) (.+)$/.exec(first) ?? [];
  if (heading !== undefined && lines.length === 1) {
    return { kind: 'heading', level: marks === '##' ? 2 : 3, text: heading };
  }
  if (first.startsWith('- ')) return { kind: 'list', items: itemsOf(lines).map(readInline) };
  const unknown = lines.find((line) => UNKNOWN.test(line) || line.startsWith('- ') || line.startsWith('#'));
  if (unknown !== undefined) throw new Error(`Guides cannot have: ${unknown}`);
  return { kind: 'text', text: readInline(lines.join(' ')) };
}

/** Lines that are indented go on with the item before them. */
function itemsOf(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (line.startsWith('- ')) items.push(line.slice(2));
    else if (line.startsWith('  ') && items.length > 0) items.push(`${items.pop()} ${line.trim()}`);
    else throw new Error(`Guides cannot have: ${line}`);
  }
  return items;
}

const INLINE = /`([^`]+)`|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

function readInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let at = 0;
  const plain = (end: number) => {
    const between = text.slice(at, end);
    if (/[`*\][]|<\w/.test(between)) throw new Error(`Guides cannot have: ${between}`);
    if (between !== '') parts.push(between);
  };
  for (const found of text.matchAll(INLINE)) {
    const [whole, code, emphasis, label = '', target = ''] = found;
    plain(found.index);
    if (code !== undefined) parts.push({ code });
    else if (emphasis !== undefined) parts.push({ emphasis });
    else parts.push({ to: guideOf(target), text: label });
    at = found.index + whole.length;
  }
  plain(text.length);
  return parts;
}

/** 'usage.md#seats' → 'usage#seats'; the overview is overview.md in pages, and has no id. */
function guideOf(target: string): string {
  const [, id = '', anchor = ''] = /^([a-z-]+)\.md(#[a-z0-9-]+)?$/.exec(target) ?? [];
  if (id === '') throw new Error(`Guides cannot link to ${target}`);
  return (id === 'overview' ? '' : id) + anchor;
}
