// Errors of compiled workflows name the lines of their source.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readSourceLines, sourceLinesOf, withSourceLines } from '#engine/workflows/source-lines';

const lists = fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 50 });

it('come back from the comment, whatever the code', () => {
  fc.assert(
    fc.property(fc.string(), lists, (javascript, lines) => {
      const code = `${javascript}${';\n'.repeat(lines.length)}`;
      expect(readSourceLines(withSourceLines(code, lines))).toEqual(lines);
    }),
  );
});

it('are at most as many as the code has, and none beyond the longest source', () => {
  const shown = readSourceLines(withSourceLines('a;\nb;', Array(100_000).fill(262_144)));
  expect(shown).toEqual([262_144, 262_144, 262_144]);
  expect(readSourceLines(withSourceLines('a;', [Number.MAX_SAFE_INTEGER]))).toEqual([]);
});

it('are read from the mappings of a source map', () => {
  // `interface A {}`, an empty line, `if (a)` and `return 1;` on one line, and a helper that comes from nowhere.
  expect(sourceLinesOf('AAEA,IAAI;QAAA;;AAIA,SAAS;AAJT;')).toEqual([3, 3, 3, 7, 3, 3]);
});

it('are unknown without the comment, and if it makes no sense', () => {
  const comment = '\n\n//# sourceLines=';
  for (const text of [
    '',
    'x',
    `${comment}`,
    `${comment}0`,
    `${comment}1,-1`,
    `${comment}1,,-`,
    `${comment}9e9`,
  ]) {
    expect(readSourceLines(text), text).toEqual([]);
  }
  expect(readSourceLines(`const a = "${comment}7";\n${comment}2,1\n`)).toEqual([2, 3]);
});
