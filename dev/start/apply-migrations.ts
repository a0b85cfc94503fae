// Applies pending migrations to the D1 in a state folder (its argument), with one start of the runtime: `wrangler d1 migrations apply`
// starts it again for each. A process of its own, whose memory ends with it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from 'wrangler';
import { root } from '../tools/run-tool.ts';

/** wrangler's own table, with which the data remains readable for it. */
const TABLE =
  'CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)';

const [stateFolder = ''] = process.argv.slice(2);
const { d1Databases } = unstable_getMiniflareWorkerOptions(join(root, 'wrangler.toml')).workerOptions;
const worker = {
  modules: true,
  script: 'export default {}',
  d1Databases,
} as unknown as Parameters<typeof convertV4MiniflareOptions>[0];
const miniflare = new Miniflare({
  ...convertV4MiniflareOptions(worker),
  resourcePersistencePath: join(stateFolder, 'v3'),
});
try {
  const db = await miniflare.getD1Database('DB');
  await db.prepare(TABLE).run();
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  const folder = join(root, 'migrations');
  const pending = readdirSync(folder).filter((name) => name.endsWith('.sql') && !applied.has(name));
  for (const name of pending.sort()) {
    const statements = unstable_splitSqlQuery(readFileSync(join(folder, name), 'utf8'));
    try {
      // All of it or nothing, with the row that says so.
      await db.batch([
        ...statements.map((each) => db.prepare(each)),
        db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
      ]);
    } catch (error) {
      throw new Error(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await miniflare.dispose();
}
