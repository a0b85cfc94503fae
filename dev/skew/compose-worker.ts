// One Worker of two bundles: whose requests, queues and schedule, and whose objects.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../tools/run-tool.ts';

/** Paths of bundled Workers. */
export interface Bundles {
  readonly current: string;
  readonly released: string;
}

export type Side = keyof Bundles;

/** The location whose ledgers are the release's; all others are today's. */
export const RELEASED_LOCATION = 'weur';

const other: Readonly<Record<Side, Side>> = { current: 'released', released: 'current' };

/** @returns the path of the module */
export async function composeWorker(
  { worker, objects }: { readonly worker: Side; readonly objects: Side },
  bundles: Bundles,
  folder: string,
): Promise<string> {
  // A class that one of them lacks is new: its objects have no other code.
  const classes = (await readClasses()).map(
    (name) =>
      `export const ${name} = ${objects}[${JSON.stringify(name)}] ?? ${other[objects]}[${JSON.stringify(name)}];`,
  );
  const source = `
    import * as current from ${JSON.stringify(bundles.current)};
    import * as released from ${JSON.stringify(bundles.released)};
    export default ${worker}.default;
    ${classes.join('\n')}`;
  return bundled(source, join(folder, `${worker}-with-${objects}-objects.js`));
}

/** Today's Worker, with ledgers of both. The configuration that `mixedConfig` writes belongs to it. */
export async function composeMixedLedgers(bundles: Bundles, folder: string): Promise<string> {
  const others = (await readClasses()).filter((name) => name !== 'Ledger');
  const source = `
    import * as current from ${JSON.stringify(bundles.current)};
    import * as released from ${JSON.stringify(bundles.released)};
    const mixed = new WeakMap();
    function withBoth(env) {
      if (!mixed.has(env)) {
        const getByName = (name, options) =>
          (options?.locationHint === ${JSON.stringify(RELEASED_LOCATION)} ? env.RELEASED_LEDGER : env.LEDGER).getByName(name, options);
        mixed.set(env, { ...env, LEDGER: { getByName } });
      }
      return mixed.get(env);
    }
    const withEnv = (Class) => class extends Class {
      constructor(context, env) { super(context, withBoth(env)); }
    };
    const product = current.default;
    export default {
      fetch: (request, env, context) => product.fetch(request, withBoth(env), context),
      queue: (batch, env, context) => product.queue(batch, withBoth(env), context),
      scheduled: (event, env, context) => product.scheduled(event, withBoth(env), context),
    };
    export const Ledger = withEnv(current.Ledger);
    export const ReleasedLedger = withEnv(released.Ledger);
    ${others.map((name) => `export const ${name} = withEnv(current.${name});`).join('\n')}`;
  return bundled(source, join(folder, 'mixed-ledgers.js'));
}

/** wrangler.toml with a second class of ledgers. @returns its path */
export function mixedConfig(folder: string): string {
  const path = join(folder, 'wrangler.toml');
  const ledger = '{ name = "LEDGER", class_name = "Ledger" },';
  const text = readFileSync(join(root, 'wrangler.toml'), 'utf8');
  if (!text.includes(ledger)) throw new Error('wrangler.toml has no binding LEDGER');
  const both = `${ledger}\n  { name = "RELEASED_LEDGER", class_name = "ReleasedLedger" },`;
  const migration = '\n[[migrations]]\ntag = "released"\nnew_sqlite_classes = ["ReleasedLedger"]\n';
  writeFileSync(path, text.replace(ledger, both) + migration);
  return path;
}

async function readClasses(): Promise<string[]> {
  const text = readFileSync(join(root, 'wrangler.toml'), 'utf8');
  return [...text.matchAll(/class_name = "(\w+)"/g)].map(([, name = '']) => name);
}

async function bundled(source: string, outfile: string): Promise<string> {
  await build({
    stdin: { contents: source, resolveDir: root },
    outfile,
    bundle: true,
    format: 'esm',
    target: 'es2024',
    external: ['cloudflare:*', 'node:*'],
    logLevel: 'error',
  });
  return outfile;
}
