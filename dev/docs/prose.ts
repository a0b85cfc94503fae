// What counts as prose in a page: its sentences, without tables, code blocks, comments and what is made from code. A code span is one word.
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Folders that no page of the project is in. */
const foreign = /(^|\/)(node_modules|dist|test-results|\.git|\.wrangler)\//;
/** Records, which only grow: a limit would delete history. */
const records = /^(docs\/decisions\/|docs\/releases\.md$|CHANGELOG\.md$)/;

const madeFromCode = /<!-- made from code: [\s\S]*?<!-- end -->/g;
const fencedCode = /^(`{3,}|~{3,})[\s\S]*?^\1.*$/gm;
const comment = /<!--[\s\S]*?-->/g;
const tableRow = /^\s*\|.*$/gm;
/** A bar after a backslash is text. */
const cellBorder = /(?<!\\)\|/;
/** Four spaces after an empty line; in a list they continue an item. */
const indentedCode = /(?<=^\n|\n\n)(?: {4}.*\n?)+/g;
const codeSpan = /(`+)[\s\S]*?\1/g;
const linkTarget = /\]\([^)]*\)/g;
/** Where a paragraph, a heading or an item of a list begins. */
const blockStart = /\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)|(?<=^#.*)\n|\n(?=#)/m;
const sentenceEnd = /(?<=[.!?][)”"*_]*)\s+(?!\p{Ll})/u;

/** The words of a text; signs alone, such as a dash, are none. */
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

/**
 * The sentences of a Markdown page, headings and items of lists included.
 * @returns each with its number of words, in the order of the page
 */
export function sentencesOf(page: string): { text: string; words: number }[] {
  return splitSentences(withoutCode(page).replace(tableRow, '\n'));
}

const withoutCode = (page: string) =>
  page
    .replace(madeFromCode, '')
    .replace(fencedCode, '')
    .replace(comment, '')
    .replace(indentedCode, '\n')
    .replace(codeSpan, 'Code')
    .replace(linkTarget, ']');

function splitSentences(prose: string): { text: string; words: number }[] {
  return prose
    .split(blockStart)
    .flatMap((block) => block.trim().split(sentenceEnd))
    .map((text) => ({ text: text.replace(/\s+/g, ' '), words: wordsOf(text).length }))
    .filter(({ words }) => words > 0);
}

/** The sentences of the cells of tables that people write, which `sentencesOf` leaves out. */
export function cellSentencesOf(page: string): { text: string; words: number }[] {
  const rows = withoutCode(page).match(tableRow) ?? [];
  const cells = rows.flatMap((row) => row.split(cellBorder));
  return splitSentences(cells.join('\n\n'));
}

export const countWords = (page: string) => sentencesOf(page).reduce((sum, { words }) => sum + words, 0);

/** Every Markdown page below `root` but the records, with its number of words. */
export function countPages(root: string): { path: string; words: number }[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => !foreign.test(`${entry.name}/`))
    .flatMap((entry) =>
      entry.isDirectory()
        ? readdirSync(join(root, entry.name), { recursive: true, encoding: 'utf8' }).map((path) =>
            join(entry.name, path),
          )
        : [entry.name],
    )
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('.md') && !foreign.test(path) && !records.test(path))
    .map((path) => ({ path, words: countWords(readFileSync(join(root, path), 'utf8')) }));
}
