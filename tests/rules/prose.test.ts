// Pages stay short enough to be read: their words together, the order of reading, and each sentence.
import { describe, expect, test } from 'vitest';
import { countPages, countWords, sentencesOf } from '../../dev/docs/prose.ts';
import { root } from './source-tree.ts';

/** `npm run docs -- --words` prints them. Shorten a page, or say a thing in one place and link to it. */
const MOST_WORDS = 38_500;
const LONGEST_SENTENCE = 40;

const pages = countPages(root);

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

  test('finds a sentence that is too long', () => {
    const page = `Short. ${'Word '.repeat(LONGEST_SENTENCE)}end.`;
    expect(tooLong(page)).toHaveLength(1);
    expect(tooLong(page.replace('Word ', ''))).toEqual([]);
  });
});

test('all pages together have at most as many words of prose as a person can read', () => {
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.reduce((sum, { words }) => sum + words, 0)).toBeLessThanOrEqual(MOST_WORDS);
});

function tooLong(page: string): string[] {
  return sentencesOf(page).flatMap(({ text, words }) =>
    words > LONGEST_SENTENCE ? [`${words} words: ${text}`] : [],
  );
}
