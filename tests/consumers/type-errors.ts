// TypeScript in projects of others, as strict as it can be set.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { captureTool } from '../../dev/tools/run-tool.ts';

/** What the compiler says about the folder's modules; empty if they compile. @param options beside the strict ones */
export async function typeErrors(folder: string, options: object): Promise<string> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: [],
    lib: ['ES2022', 'DOM'],
    target: 'ES2022',
    ...options,
  };
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['**/*.ts', '**/*.tsx'] }),
  );
  const { output } = await captureTool('tsc', ['-p', folder]);
  return output;
}
