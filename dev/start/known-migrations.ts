// Which migrations the data in a state folder may have: D1's, and the storage migrations of every object. A version that does not know
// one of them must not serve the data, because objects refuse to start and their customers would seem to have nothing.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../tools/run-tool.ts';
import { StartError } from '../tools/start-error.ts';

/** For D1 the names of its files, for each class of objects the hashes of its statements, in their order. */
export type KnownMigrations = Readonly<Record<string, readonly string[]>>;

/**
 * Notes what this version may apply. To be called with the lock of the folder, before anything is migrated.
 *
 * @throws {StartError} if the data was used by a version that knows more, or others
 */
export async function recordMigrations(stateFolder: string): Promise<void> {
  const path = join(stateFolder, 'migrations.json');
  const own = await readOwnMigrations();
  const recorded = existsSync(path) ? parseRecord(path) : {};
  if (findUnknown(recorded, own) !== null) {
    throw new StartError(
      `The data in ${stateFolder} was last used by a newer version of Tessera. ` +
        'Update this one (git pull), or choose another folder: TESSERA_STATE=folder npm start',
    );
  }
  writeFileSync(`${path}.new`, `${JSON.stringify(own, null, 1)}\n`);
  renameSync(`${path}.new`, path);
}

/** A migration that is recorded and not known, or known in another place; null if there is none. */
export function findUnknown(recorded: KnownMigrations, known: KnownMigrations): string | null {
  for (const [list, names] of Object.entries(recorded)) {
    const unknown = names.find((name, index) => known[list]?.[index] !== name);
    if (unknown !== undefined) return `${list}: ${unknown}`;
  }
  return null;
}

/** Every `durable-objects/<class>/schema.ts` exports its list as `migrations`. */
export async function readOwnMigrations(): Promise<KnownMigrations> {
  const files = readdirSync(join(root, 'migrations')).filter((name) => name.endsWith('.sql'));
  const known: Record<string, readonly string[]> = { d1: files.sort() };
  for (const name of readdirSync(join(root, 'durable-objects')).sort()) {
    const path = join(root, 'durable-objects', name, 'schema.ts');
    if (!existsSync(path)) continue;
    const { migrations } = (await import(pathToFileURL(path).href)) as { migrations: readonly string[] };
    known[name] = migrations.map((text) => createHash('sha256').update(text).digest('hex').slice(0, 16));
  }
  return known;
}

function parseRecord(path: string): KnownMigrations {
  try {
    const record = JSON.parse(readFileSync(path, 'utf8')) as KnownMigrations;
    if (Object.values(record).every(Array.isArray)) return record;
  } catch {
    // As below.
  }
  throw new StartError(
    `${path} is damaged. Delete it if this version of Tessera is the newest that used the data.`,
  );
}
