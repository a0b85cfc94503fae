// Files, folders and symbols that pages name in backticks exist, and some questions have a heading that names the file. The changelog and decisions speak of what was.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listFiles, readSource, root } from './source-tree.ts';

const folders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !/^(node_modules|\.git|\.wrangler)$/.test(entry.name))
  .map((entry) => entry.name);
const files = [...listFiles(folders, /./), ...readdirSync(root)];
const paths = new Set(
  files.flatMap((path) => path.split('/').map((_, depth, names) => names.slice(0, depth + 1).join('/'))),
);
/** Every ending of a path: pages name files of their own part without its folder. */
const endings = new Set(
  [...paths].flatMap((path) => path.split('/').map((_, depth, names) => names.slice(depth).join('/'))),
);
const words = new Set(
  files
    .filter(
      (path) =>
        /\.(ts|tsx|mts|mjs|js|css|html|sql|toml|json|sh|yml)$/.test(path) &&
        !/package-lock\.json$|^tests\/rules\/named-code\.test\.ts$/.test(path),
    )
    .flatMap((path) => readFileSync(join(root, path), 'utf8').match(/[A-Za-z_$][\w$]*/g) ?? []),
);
const pages = [...listFiles(folders, /\.md$/), 'README.md', 'CONTRIBUTING.md', 'SECURITY.md'].filter(
  (path) => !path.startsWith('docs/decisions/'),
);

/** What a recipe makes up (the domain `reports`, the form of a migration's name), and keys in R2. */
const INVENTED = /(^|[/-])reports?(-table)?\b|^NNNN_verb_noun\.sql$|^audit\//;

const fencedCode = /^(`{3,}|~{3,})[\s\S]*?^\1.*$/gm;
const file = /^[\w@./-]+\.(ts|tsx|mts|mjs|css|html|sql|toml|lock|sh|yml)$/;
const folder = /^[\w.-]+(\/[\w.-]+)*\/$|^[\w.-]+(\/[\w.-]+)+$/;
/** A name with a hump or an underscore; other single words are slugs, fields and English. A call may have its arguments. */
const symbol = /^([A-Za-z]+[a-z0-9][A-Z]\w*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(\(.*\))?$/;

/** What a page names that does not exist. */
function missingIn(page: string): string[] {
  const spans = [...page.replace(fencedCode, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return spans.filter((span) => {
    if (INVENTED.test(span)) return false;
    if (file.test(span)) return !endings.has(span);
    const [, name] = symbol.exec(span) ?? [];
    if (name !== undefined) return !words.has(name);
    if (!folder.test(span)) return false;
    const [top = ''] = span.split('/');
    const path = span.replace(/\/$/, '');
    return span.endsWith('/') ? !endings.has(path) : folders.includes(top) && !paths.has(path);
  });
}

describe('the checker', () => {
  test.each([
    'worker/no-such-file.ts',
    'no-such-file.test.ts',
    'worker/domains/no-such-domain',
    'no-such-folder/',
    'noSuchFunction',
    'noSuchFunction(db, scope)',
    'NO_SUCH_CONSTANT',
    'NoSuchType',
  ])('misses `%s`', (name) => expect(missingIn(`It is in \`${name}\`.`)).toEqual([name]));

  test.each([
    'worker/index.ts',
    'group-commit.ts',
    'worker/domains/access',
    'domains/',
    'listFiles',
    'listFiles([])',
    'MAX_BATCH',
    'enabled',
    'data-exports',
    '/api/v1/customers',
    'npm start',
    'reports-table.tsx',
  ])('passes `%s`', (name) => expect(missingIn(`It is in \`${name}\`.`)).toEqual([]));

  test('reads no code blocks', () => expect(missingIn('```ts\n`noSuchFunction`\n```\n')).toEqual([]));
});

test('files, folders and symbols that pages name exist', () => {
  const wrong = pages.flatMap((path) =>
    missingIn(readSource(path)).map((name) => `${path}: there is no ${name}`),
  );
  expect(wrong).toEqual([]);
});

const QUESTIONS = {
  'docs/architecture.md': [
    ['A metered feature is denied', 'packages/engine/entitlements/verdict.ts'],
    ['One access check', 'worker/domains/access/calls/handle-public-api.ts'],
    ['A message is in the outbox', 'worker/queue/outbox.ts'],
    ['What is lost with an object', 'durable-objects/README.md'],
    ['A Stripe event to a plan', 'packages/engine/entitlements/subscription-access.ts'],
    ['An invitation is open', 'worker/db/open-invitation.ts'],
    ['An error', 'packages/contracts/public/refusals.ts'],
  ],
  'docs/contribute.md': [
    ['A property type', 'packages/contracts/public/values.ts'],
    ['A page with a table', 'web/ui/lists/list-table.tsx'],
    ['A field in a public answer', 'packages/contracts/public/access.ts'],
    ['An entry of the activity', 'packages/contracts/console/activity.ts'],
    ['A queue message', 'runtime/messages.ts'],
  ],
};

describe.each(Object.entries(QUESTIONS))('%s', (page, questions) => {
  test.each(questions)('has the heading "%s", which names %s', (heading, path) => {
    const [, section] = readSource(page).split(new RegExp(`^#{2,3} ${heading}\n`, 'm'));
    expect(section?.split(/^#{2,3} /m)[0]).toContain(`\`${path}\``);
    expect(files).toContain(path);
  });
});
