// `npm run soak`: what a release runs besides `npm test`, and what takes hours or a registry. Without arguments everything, otherwise the
// named parts: npm run soak -- examples kills. Ends with the names of what failed.

import { ensureKnown } from '../dev/tools/nearest-name.ts';
import { readOptions } from '../dev/tools/read-options.ts';
import { hasPassed, type Part, parts } from './soak/parts.ts';

const { positionals: chosen } = readOptions('soak', {}, 'names of parts');
ensureKnown(chosen, [...parts.keys()]);
const run = (chosen.length > 0 ? chosen : [...parts.keys()]).map(
  (name) => [name, parts.get(name) as Part] as const,
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
const failed: string[] = [];
for (const [name, part] of run) {
  console.log(`\n${name}\n`);
  if (!(await hasPassed(part))) failed.push(name);
}
console.log(
  failed.length === 0
    ? `\nPassed: ${run.map(([name]) => name).join(', ')}`
    : `\nFAILED: ${failed.join(', ')}`,
);
process.exit(failed.length === 0 ? 0 : 1);
