// The child process of the server under attack.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { unstable_splitSqlQuery } from 'wrangler';
import { startDirect } from '../../dev/start/direct-server.ts';

const root = resolve(import.meta.dirname, '../..');

export interface ServeOrder {
  readonly port: number;
  readonly bundlePath: string;
  /** Where D1, R2 and the objects keep their data. */
  readonly stateFolder: string;
  /** The data is new: D1 gets its tables. */
  readonly migrates: boolean;
  readonly vars: Readonly<Record<string, string>>;
}

process.on('message', async (order: ServeOrder) => {
  try {
    await serve(order);
    process.send?.({});
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.stack : String(error) });
  }
});

async function serve({ port, bundlePath, stateFolder, migrates, vars }: ServeOrder): Promise<void> {
  const { miniflare } = await startDirect({
    port,
    bundlePath,
    configPath: resolve(root, 'wrangler.toml'),
    vars: { ...parseEnv(readFileSync(resolve(root, 'dev/development.vars'), 'utf8')), ...vars },
    persistTo: stateFolder,
  });
  if (!migrates) return;
  const database = await miniflare.getD1Database('DB');
  for (const { queries } of await readD1Migrations(resolve(root, 'migrations'))) {
    const statements = queries.flatMap((query) => unstable_splitSqlQuery(query));
    await database.batch(statements.map((statement) => database.prepare(statement)));
  }
}
