// TypeScript in projects of others, as strict as it can be set.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { captureTool, root } from '../../dev/tools/run-tool.ts';

/** The last one that knows `moduleResolution: node10` comes with attw. */
const olderCompiler = () =>
  createRequire(join(root, 'node_modules/@arethetypeswrong/core/package.json')).resolve('typescript/bin/tsc');

interface Project {
  readonly type?: 'module' | 'commonjs';
  /** TypeScript 5.6 in place of the repository's. */
  readonly isOlder?: boolean;
}

/** What the compiler says about the folder's modules; empty if they compile. @param options beside the strict ones */
export async function typeErrors(
  folder: string,
  options: object,
  { type = 'module', isOlder = false }: Project = {},
): Promise<string> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: [],
    lib: ['ES2022', 'DOM'],
    target: 'ES2022',
    ...options,
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['**/*.ts', '**/*.tsx'] }),
  );
  if (!isOlder) return (await captureTool('tsc', ['-p', folder])).output;
  return new Promise((resolve) =>
    execFile(process.execPath, [olderCompiler(), '-p', folder], (_, output) => resolve(output)),
  );
}
