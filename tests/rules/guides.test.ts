// The guides at /docs: each has its page and its Markdown, links lead somewhere, and their code is in files that tests run
// (tests/consumers/guides.test.ts), and nowhere else.
import { describe, expect, test } from 'vitest';
import { GUIDES, markdownPath } from '#contracts/console/guide-list';
import { fillIn } from '#contracts/public/fill-in';
import { EXAMPLE_ORIGIN, LOCAL_INSTALL_NOTE } from '#contracts/public/install-command';
import { SDK_VERSION, sdkFileName } from '#contracts/public/sdk-package';
import { buildDocument } from '#worker/domains/api-docs/build-document';
import { writeReference } from '#worker/domains/api-docs/write-reference';
import { readBlocks } from '../../web/bundling/guides/read-blocks.ts';
import { guideMarkdown, guideText, llmsText, sourcesOf } from '../../web/bundling/guides/write-guide.ts';
import { anchorOf } from '../../web/domains/guides/parts/blocks.ts';
import { listFiles, root } from './source-tree.ts';

const PAGES = 'web/domains/guides/pages';

/** What a server serves as text, by path. */
const texts = new Map([
  ...GUIDES.map((guide) => [markdownPath(guide.id), guideMarkdown(guide)] as const),
  ['/llms.txt', llmsText()],
  ['/api-docs.md', writeReference(buildDocument(EXAMPLE_ORIGIN))],
]);

/** What else a server has below its address. */
const files = new Set(['/api/v1/openapi.json', `/sdk/${sdkFileName(SDK_VERSION)}`]);

const anchorsOf = (path: string) =>
  [...(texts.get(path) ?? '').matchAll(/^#{1,4} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

test('every page is a guide of the list, and every guide has its page', () => {
  const wanted = [...GUIDES.map(({ id }) => `${PAGES}/${id || 'overview'}.md`), `${PAGES}/install.md`];
  expect(listFiles([PAGES], /./)).toEqual(wanted.sort());
});

test('every file of examples/guides is shown by a guide, and a guide shows files of examples only', () => {
  const shown = GUIDES.flatMap(({ id }) => sourcesOf(id))
    .map((path) => path.slice(root.length + 1))
    .filter((path) => !path.startsWith(PAGES));
  const others = ['examples/hono-worker/src/index.ts'];
  expect(shown.sort()).toEqual([...listFiles(['examples/guides'], /./), ...others].sort());
});

test.each(GUIDES)(
  '$title is a page and Markdown with the same code, and nothing is left to fill in',
  (guide) => {
    const blocks = readBlocks(guideText(guide.id));
    const markdown = guideMarkdown(guide);
    expect(markdown).toMatch(/^# \S/);
    for (const block of blocks) {
      if (block.kind === 'code') expect(markdown).toContain(`title="${block.file}"\n${block.code}\n`);
    }
    const anchors = blocks.flatMap((block) => (block.kind === 'heading' ? [anchorOf(block.text)] : []));
    expect(new Set(anchors).size).toBe(anchors.length);
    const served = fillIn(markdown, 'https://entitlements.acme.test');
    expect(served).not.toMatch(/<!--|\{install\}|\{file\}|\{package\}|tessera\.example/);
    expect(fillIn(markdown, 'http://localhost:4001')).not.toMatch(/npm i http/);
  },
);

test.each([...texts.keys()])('every link of %s resolves', (path) => {
  const links = [...(texts.get(path) ?? '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  for (const link of links) {
    expect(link, path).toMatch(/^https:\/\/tessera\.example\//);
    const { pathname, hash } = new URL(link);
    expect(texts.has(pathname) || files.has(pathname), link).toBe(true);
    if (hash !== '') expect(anchorsOf(pathname), link).toContain(hash.slice(1));
  }
});

test('llms.txt has a title, a summary, and every guide', () => {
  const text = llmsText();
  expect(text).toMatch(/^# Tessera\n\n> \S/);
  for (const { id, title, summary } of GUIDES) {
    expect(text).toContain(`- [${title}](${EXAMPLE_ORIGIN}${markdownPath(id)}): ${summary}\n`);
  }
});

test('a local server installs the package as a file and says why, and others do not', () => {
  const [overview] = GUIDES;
  const markdown = guideMarkdown(overview!);
  const local = fillIn(markdown, 'http://localhost:4001');
  const file = sdkFileName(SDK_VERSION);
  expect(local).toContain(`npm pack http://localhost:4001/sdk/${file}\nnpm i ./${file}\n`);
  expect(local).toContain(`\n\n${LOCAL_INSTALL_NOTE}\n\n`);
  const remote = fillIn(markdown, 'https://t.test');
  expect(remote).toContain(`npm i https://t.test/sdk/${file}\n`);
  expect(remote).not.toContain(LOCAL_INSTALL_NOTE);
});

describe('the reader', () => {
  test.each([
    '| a | b |',
    '# Title',
    '1. One',
    '![x](y.png)',
    '> quote',
    '<b>x</b>',
    'a [link](https://x.test)',
    'an `open',
    '```ts\nx\n```',
  ])('refuses %j, which the page could not show', (text) =>
    expect(() => readBlocks(text)).toThrow('Guides cannot'),
  );

  test('reads terms, items over two lines, and links to parts of guides', () => {
    expect(readBlocks('### Feature\n\n- `a` is *one*\n  thing\n- b\n\nSee [Seats](usage.md#seats).')).toEqual(
      [
        { kind: 'heading', level: 3, text: 'Feature' },
        { kind: 'list', items: [[{ code: 'a' }, ' is ', { emphasis: 'one' }, ' thing'], ['b']] },
        { kind: 'text', text: ['See ', { to: 'usage#seats', text: 'Seats' }, '.'] },
      ],
    );
  });
});
