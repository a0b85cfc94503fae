// `npm run docs`: writes the tables of docs/ that are made from code: schemas, queue messages, codes, log lines. With --words it
// prints how many words of prose each page has instead.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countPages } from './docs/prose.ts';
import { withTables } from './docs/with-tables.ts';
import { readOptions } from './tools/read-options.ts';
import { root } from './tools/run-tool.ts';

const { words } = readOptions('docs', { words: { type: 'boolean' } }).values;
if (words) {
  const counts = countPages(root).sort((a, b) => b.words - a.words);
  for (const page of counts) console.log(`${String(page.words).padStart(6)}  ${page.path}`);
  console.log(`${String(counts.reduce((sum, page) => sum + page.words, 0)).padStart(6)}  in all`);
  process.exit(0);
}
const folder = join(root, 'docs');
for (const name of readdirSync(folder).filter((file) => file.endsWith('.md'))) {
  const path = join(folder, name);
  const page = readFileSync(path, 'utf8');
  const current = await withTables(page);
  if (current === page) continue;
  writeFileSync(path, current);
  console.log(`docs/${name} is up to date`);
}
