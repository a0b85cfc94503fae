// What the console's build makes of contracts (web/bundling/split-contracts.ts), with the contracts themselves and with small ones.
import { resolve } from 'node:path';
import { build, type Plugin } from 'vite';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { splitContracts } from '../../web/bundling/split-contracts.ts';
import { listFiles, root } from '../rules/source-tree.ts';

const contracts = listFiles(['packages/contracts/console']).map((path) => resolve(root, path));

/** Modules by id, which need not exist. */
function given(modules: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'given',
    enforce: 'pre',
    resolveId: (source) => (source in modules ? source : null),
    load: (id) => modules[id] ?? null,
  };
}

/** Builds an entry, whose exports stay, as the console is built. */
async function built(entry: string, modules: Readonly<Record<string, string>> = {}): Promise<string> {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [splitContracts(), given({ ...modules, entry })],
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rolldownOptions: { input: 'entry', preserveEntrySignatures: 'strict' },
    },
  });
  const { output } = result as { output: { code: string }[] };
  return output.map(({ code }) => code).join('\n');
}

const run = (code: string): Promise<Module> =>
  import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);

const CONTRACTS = resolve(root, 'packages/contracts');
const AREA = `${CONTRACTS}/area.ts`;
const area = `
import { z } from 'zod';
import { member } from '${CONTRACTS}/public/endpoint.ts';
export const MAX_LENGTH = 3;
export const nameSchema = z.string().max(MAX_LENGTH).describe('The name that people see.');
const nested = z.object({ name: nameSchema.describe('Again.') });
export function isName(value) { return nameSchema.safeParse(value).success; }
export function isLong(value) { return value.length > MAX_LENGTH; }
export const areaEndpoints = {
  list: member.get('/areas', { summary: 'List areas', reads: 'areas', answer: nested }),
  add: member.post('/areas', { summary: 'Add an area', changes: ['areas'], body: nested }),
};
`;

test('every endpoint of the console keeps its method and path, what it reads and what it changes', async () => {
  const records = await Promise.all(contracts.map((path) => import(/* @vite-ignore */ path)));
  const code = await built(
    contracts.map((path, index) => `export * as c${index} from ${JSON.stringify(path)};`).join('\n'),
  );
  const all = await run(code);
  const kept = contracts.map((_, index) => all[`c${index}`] as Module);
  expect(kept.flatMap(endpointsOf).length).toBeGreaterThan(150);
  expect(kept.map(endpointsOf)).toEqual(records.map(endpointsOf));
});

test('who reads an endpoint or a constant loads no zod', async () => {
  const code = await built(
    `import { areaEndpoints, isLong, MAX_LENGTH } from '${AREA}'; export const all = [areaEndpoints, isLong('four'), MAX_LENGTH];`,
    { [AREA]: area },
  );
  expect(code).not.toContain('safeParse');
  const { all } = await run(code);
  expect(all).toEqual([
    {
      list: { method: 'GET', path: '/areas', reads: 'areas' },
      add: { method: 'POST', path: '/areas', changes: ['areas'] },
    },
    true,
    3,
  ]);
});

test('who reads a schema has it without descriptions, and none of the endpoints', async () => {
  const code = await built(`export { isName, nameSchema } from '${AREA}';`, { [AREA]: area });
  expect(code).not.toMatch(/people see|Again|areas/);
  const { isName, nameSchema } = (await run(code)) as {
    isName: (value: string) => boolean;
    nameSchema: z.ZodType;
  };
  expect(isName('two')).toBe(true);
  expect(isName('three')).toBe(false);
  expect(nameSchema.description).toBeUndefined();
});

test('a contract that does more than declare is refused with what it does', async () => {
  const refused = built(`export * from '${AREA}';`, { [AREA]: 'export class Area {}' });
  await expect(refused).rejects.toThrow(
    'A contract has constants and functions only, not export class Area {}',
  );
});

type Module = Readonly<Record<string, unknown>>;

/** What the console reads of a module's endpoints, by the order of their names. Records that a function makes keep the rest, too. */
function endpointsOf(module: Module): unknown[] {
  return Object.keys(module)
    .filter((name) => /endpoints$/i.test(name))
    .sort()
    .flatMap((name) => Object.values(module[name] as Record<string, Module>))
    .map(({ method, path, reads, changes }) => ({ method, path, reads, changes }));
}
