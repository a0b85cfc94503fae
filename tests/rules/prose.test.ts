// Pages stay short enough to be read: their words together, the order of reading, and each sentence.
import { join } from 'node:path/posix';
import { describe, expect, test } from 'vitest';
import { cellSentencesOf, countPages, countWords, sentencesOf } from '../../dev/docs/prose.ts';
import { listFiles, readSource, root } from './source-tree.ts';

/** `npm run docs -- --words` prints them. Shorten a page, or say a thing in one place and link to it. */
const MOST_WORDS = 24_000;
const LONGEST_SENTENCE = 40;
/** Characters that are seen without scrolling: about 30 lines of 80. */
const ONE_SCREEN = 2_500;
/** Of the pages that docs/README.md lists in an order. */
const MOST_WORDS_IN_ORDER = 9_000;

const pages = countPages(root);
/** Templates of a forge, and the guides at /docs, whose start the console draws. */
const isFormOrGuide = /^(\.github|web\/domains\/guides)\//;
const decisions = listFiles(['docs/decisions'], /\d{4}-.*\.md$/);

describe('the counter', () => {
  test.each([
    ['One two three. Four five!', [3, 2]],
    ['# A title\nIts text goes on\nin a second line.', [2, 8]],
    ['- one item\n- another one\n  that goes on', [2, 5]],
    ['A `code span of six whole words` is one word.', [5]],
    ['See [the page](docs#b), which is [here](#c).', [6]],
    ['Before.\n\n| a | table |\n|---|---|\n\nAfter it.', [1, 2]],
    ['Before.\n\n    npm start   # code\n\n```ts\nmore code\n```\n<!-- a comment -->\nAfter it.', [1, 2]],
    ['<!-- made from code: queues -->\n\nWritten by a script.\n\n<!-- end -->\n\nBy people.', [2]],
    ['It is e.g. at 3.5 MB – not more.', [8]],
  ])('reads %j', (page, words) => {
    expect(sentencesOf(page).map((sentence) => sentence.words)).toEqual(words);
    expect(countWords(page)).toBe(words.reduce((sum, count) => sum + count, 0));
  });

  test.each([
    [
      'Before.\n\n| a | table |\n|---|---|\n| One two. Three | `a | b` or c\\|d |\n\nAfter it.',
      [1, 1, 2, 1, 3],
    ],
    ['<!-- made from code: queues -->\n\n| made | cells |\n\n<!-- end -->\n\n    | code |\n', []],
  ])('reads in cells of %j', (page, words) => {
    expect(cellSentencesOf(page).map((sentence) => sentence.words)).toEqual(words);
  });

  test('wants a purpose, a picture and three links at the start of a page', () => {
    const page = '# Title\n\nWhat it is for.\n\n    a ──► b\n\n| most people come for | |\n|---|---|\n';
    expect(hasStart(page)).toBe(true);
    for (const part of ['What it is for.\n\n', '    a ──► b\n', '| most people come for | |\n'])
      expect(hasStart(page.replace(part, '')), part).toBe(false);
    expect(hasPurpose(page)).toBe(true);
    expect(hasPurpose(page.replace('What it is for.\n\n', ''))).toBe(false);
  });

  test('finds a sentence that is too long', () => {
    const page = `Short. ${'Word '.repeat(LONGEST_SENTENCE)}end.`;
    expect(tooLong(page)).toHaveLength(1);
    expect(tooLong(page.replace('Word ', ''))).toEqual([]);
    expect(tooLong(`| a cell | ${page} |`)).toHaveLength(1);
  });
});

test('all pages together have at most as many words of prose as a person can read', () => {
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.reduce((sum, { words }) => sum + words, 0)).toBeLessThanOrEqual(MOST_WORDS);
});

test('the pages of the order of reading have at most as many words as an hour allows', () => {
  const [, section = ''] = readSource('docs/README.md').split('## An order of reading\n');
  const list = section
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .join('\n');
  const inOrder = [...list.matchAll(/\]\(([^)#]+\.md)\)/g)].map(([, path = '']) => join('docs', path));
  expect(inOrder.length).toBeGreaterThan(5);
  expect(inOrder.reduce((sum, path) => sum + countWords(readSource(path)), 0)).toBeLessThanOrEqual(
    MOST_WORDS_IN_ORDER,
  );
});

test('each page begins with what it is for; above one screen a picture and what most people come for follow', () => {
  const wrong = pages
    .map(({ path }) => path)
    .filter((path) => !isFormOrGuide.test(path))
    .filter((path) => {
      const page = readSource(path);
      return page.length > ONE_SCREEN ? !hasStart(page) : !hasPurpose(page);
    });
  expect(wrong).toEqual([]);
});

test('no sentence has more than 40 words, in tables neither', () => {
  const wrong = [...pages.map(({ path }) => path), ...decisions, 'CHANGELOG.md'].flatMap((path) =>
    tooLong(readSource(path)).map((text) => `${path}: ${text}`),
  );
  expect(wrong).toEqual([]);
});

test('every decision says what was considered instead', () => {
  const wrong = decisions.filter(
    (path) => !/^\*\*(Considered|Tried) instead\.\*\* \S/m.test(readSource(path)),
  );
  expect(wrong).toEqual([]);
});

function tooLong(page: string): string[] {
  return [...sentencesOf(page), ...cellSentencesOf(page)].flatMap(({ text, words }) =>
    words > LONGEST_SENTENCE ? [`${words} words: ${text}`] : [],
  );
}

/** A title, and a sentence below it. */
const hasPurpose = (page: string) => /^# .+\n\n[*\p{L}]/u.test(page);

/** The same, and within 40 lines a block of code or a diagram, and the table of what most people come for. */
function hasStart(page: string): boolean {
  const start = page.split('\n').slice(0, 40).join('\n');
  return hasPurpose(start) && /^( {4}\S|```)/m.test(start) && /^\| most people come for \| \|$/m.test(start);
}
