// Bundles the reader of workflows' code with its parser into a text that the Worker hands to a dynamic worker. wrangler runs it before it
// bundles a Worker, and so do the tests; plain JavaScript, because wrangler starts it with whatever Node is on the path.
import { existsSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '../..');
const domain = join(root, 'worker/domains/workflow-code');
const builtPath = join(domain, 'sandbox/built-code-reader.js');

/** Does nothing where what was built is newer than everything that it is made of. */
export async function buildCodeReader() {
  if (isUpToDate()) return;
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: join(domain, 'reader/index.ts'),
    external: ['cloudflare:workers'],
    cwd: root,
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  // Renamed, because several servers may start at the same time.
  const written = `${builtPath}.${process.pid}`;
  writeFileSync(written, `export const CODE_READER = ${JSON.stringify(output[0].code)};\n`);
  renameSync(written, builtPath);
}

function isUpToDate() {
  if (!existsSync(builtPath)) return false;
  const builtAt = statSync(builtPath).mtimeMs;
  const sources = [
    import.meta.filename,
    join(root, 'package-lock.json'),
    join(domain, 'code-reading.ts'),
    join(root, 'packages/contracts/internal/workflow-run.ts'),
    join(root, 'packages/engine/workflows/source-lines.ts'),
    ...readdirSync(join(domain, 'reader')).map((name) => join(domain, 'reader', name)),
  ];
  return sources.every((path) => statSync(path).mtimeMs <= builtAt);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildCodeReader();
