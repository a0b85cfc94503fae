// Comments and pages refer only to documents of this repository, and to headings that exist.
import { dirname, join } from 'node:path/posix';
import { describe, expect, test } from 'vitest';
import { listFiles, readSource } from './source-tree.ts';

const folders = [
  '.github',
  'docs',
  'packages',
  'runtime',
  'worker',
  'durable-objects',
  'web',
  'tests',
  'dev',
  'lab',
  'migrations',
  'examples',
];
const pages = [
  ...listFiles(folders, /\.md$/),
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
];
const ownPath = 'tests/rules/documents.test.ts';
const files = [
  ...listFiles(folders, /\.(ts|tsx|mjs|css|html|sql|toml)$/).filter((path) => path !== ownPath),
  ...pages,
];

/** Documents that are not in the repository, by the words that used to refer to them. */
const untracked = /\bDESIGN\b|\b[Ss]pec(?:ification)?\b(?!\.[a-z])/;
const mention = /[A-Za-z0-9_./-]*[A-Za-z0-9_-]\.md\b/g;
/** `worker/README.md`, "Snapshot freshness": with or without the backticks. */
const headingMention = /([A-Za-z0-9_./-]*[A-Za-z0-9_-]\.md)`?,\s+"([^"]+)"/g;
const markdownLink = /\]\(([^)#\s]*)#([^)\s]+)\)/g;

/** The text with each comment on one line, so that a reference may wrap. */
function unwrapped(source: string): string {
  return source.replace(/\n[ \t]*(?:\*(?!\/)|\/\/|--|#(?!#))?[ \t]*/g, ' ');
}

/** Guides name each other by the names of their files. */
const guides = 'web/domains/guides/pages';

/** The page that a mention in `path` means: relative to the root, to the file's folder, or a guide. */
function pageOf(path: string, mentioned: string): string | undefined {
  return [mentioned, join(dirname(path), mentioned), join(guides, mentioned)].find((candidate) =>
    pages.includes(candidate),
  );
}

/** An address of the server, where guides are Markdown, is no file. tests/rules/guides.test.ts looks these up. */
const isAddress = (mentioned: string) => mentioned.startsWith('/');

const madeFromCode = /<!-- made from code: [\s\S]*?<!-- end -->/g;
const fencedCode = /^(`{3,}|~{3,})[\s\S]*?^\1.*$/gm;

const headingsOf = (source: string) =>
  [...source.matchAll(/^#{1,4} (.+)$/gm)].map(([, heading = '']) => heading.trim());

/** As GitHub makes anchors of headings. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

function problemsOf(path: string, source: string): string[] {
  const text = unwrapped(source);
  const lines = source.split('\n').flatMap((line, index) => {
    const [word] = untracked.exec(line) ?? [];
    return word === undefined ? [] : [`line ${index + 1} refers to "${word}"`];
  });
  const missing = [...text.matchAll(mention)]
    .filter(([name]) => !isAddress(name) && pageOf(path, name) === undefined)
    .map(([name]) => `there is no ${name}`);
  const headings = [...text.matchAll(headingMention)].flatMap(([, name = '', heading = '']) => {
    const page = pageOf(path, name);
    return page !== undefined && !headingsOf(readSource(page)).includes(heading)
      ? [`${page} has no "${heading}"`]
      : [];
  });
  const anchors = [...(pages.includes(path) ? source.matchAll(markdownLink) : [])].flatMap(
    ([, target = '', anchor = '']) => {
      const page = target === '' ? path : pageOf(path, target);
      if (page === undefined) return [`there is no ${target}`];
      return headingsOf(readSource(page)).map(anchorOf).includes(anchor) ? [] : [`${page} has no #${anchor}`];
    },
  );
  const written = pages.includes(path)
    ? headingsOf(source.replace(madeFromCode, '').replace(fencedCode, ''))
    : [];
  const repeated = written
    .filter((heading, index) => written.indexOf(heading) !== index)
    .map((heading) => `it has "${heading}" twice`);
  return [...lines, ...missing, ...headings, ...anchors, ...repeated];
}

describe('the checker', () => {
  test.each([
    ['// Which plans apply (DESIGN section 4).', 'line 1 refers to "DESIGN"'],
    ["// In the specification's words.", 'line 1 refers to "specification"'],
    ['/** Two prices (spec, section 2). */', 'line 1 refers to "spec"'],
    ['// See NOTES.md.', 'there is no NOTES.md'],
    ['// See README.md, "No such heading".', 'README.md has no "No such heading"'],
    ['// See README.md, "No such\n// heading".', 'README.md has no "No such heading"'],
  ])('refuses %j', (source, problem) => {
    expect(problemsOf('worker/index.ts', source)).toEqual([problem]);
  });

  test.each([
    '// See README.md, "How the parts fit".',
    "import './crash.spec.ts';",
    '// RFC 6749, section 4',
  ])('allows %j', (source) => {
    expect(problemsOf('worker/index.ts', source)).toEqual([]);
  });

  test('refuses two headings alike, of which a link reaches the first only', () => {
    expect(problemsOf('README.md', '# A\n\n## B\n\n## B\n')).toEqual(['it has "B" twice']);
    expect(problemsOf('README.md', '# A\n\n<!-- made from code: x -->\n## A\n<!-- end -->\n')).toEqual([]);
  });

  test('refuses a link to an anchor that does not exist', () => {
    expect(problemsOf('README.md', '[a](#two-commands) [b](#no-such-anchor)')).toEqual([
      'README.md has no #no-such-anchor',
    ]);
  });
});

test('nothing refers to a document or a heading that is not in the repository', () => {
  const wrong = files.flatMap((path) =>
    problemsOf(path, readSource(path)).map((problem) => `${path}: ${problem}`),
  );
  expect(wrong).toEqual([]);
});
