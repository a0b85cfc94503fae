// `npm run docs`: writes the tables of docs/ that are made from code: schemas, queue messages, codes, log lines.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withTables } from './docs/with-tables.ts';
import { readOptions } from './tools/read-options.ts';
import { root } from './tools/run-tool.ts';

readOptions('docs', {});
const folder = join(root, 'docs');
for (const name of readdirSync(folder).filter((file) => file.endsWith('.md'))) {
  const path = join(folder, name);
  const page = readFileSync(path, 'utf8');
  const current = await withTables(page);
  if (current === page) continue;
  writeFileSync(path, current);
  console.log(`docs/${name} is up to date`);
}
