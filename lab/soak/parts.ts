// The parts of `npm run soak`, shortest first. What each promises is in tests/support/README.md.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root, runTool } from '../../dev/tools/run-tool.ts';
import { runApplications } from './run-applications.ts';
import { runExamples } from './run-examples.ts';
import { runLighthouse } from './run-lighthouse.ts';
import { runRuntimes } from './run-runtimes.ts';
import { withTessera } from './with-process.ts';

/** @throws {Error} or returns false if a promise is broken */
export type Part = () => Promise<boolean>;

const KILLS = '200';
const HISTORIES = 20_000;
/** In which any set of regions follows any other. */
const REGION_HISTORIES = 10_000;
const STREAMS = 10_000;
const CHAOS_MINUTES = '60';
/** Each has other random inputs, and its share of the histories. */
const FUZZING_ROUNDS = 20;

export const parts: ReadonlyMap<string, Part> = new Map([
  ['examples', runExamples],
  ['applications', () => withTessera(runApplications)],
  ['runtimes', () => withTessera(runRuntimes)],
  ['loading', () => withTessera(runLighthouse)],
  ['typing', typeAtEverySpeed],
  ['kills', () => vitest('crash', ['tests/crash/sdk-kills.test.ts'], { KILLS })],
  [
    'hostile',
    () => withTessera((url) => runScript('lab/hostile-workflows.ts', ['--all'], { TESSERA_URL: url })),
  ],
  ['fuzzing', fuzz],
  [
    'histories',
    () =>
      vitest('worker', ['tests/worker/customer-facts/entitlement-histories.test.ts'], {
        VITE_HISTORIES: String(HISTORIES),
      }),
  ],
  [
    'names',
    () =>
      vitest('worker', ['tests/worker/customer-facts/name-histories.test.ts'], {
        VITE_NAME_HISTORIES: String(HISTORIES),
      }),
  ],
  [
    'streams',
    () => vitest('worker', ['tests/worker/access/killed-streams.test.ts'], { VITE_STREAMS: String(STREAMS) }),
  ],
  ['chaos', () => runScript('lab/chaos/run-chaos.ts', ['--minutes', CHAOS_MINUTES])],
]);

/** What a part throws is its failure. */
export async function hasPassed(part: Part): Promise<boolean> {
  try {
    return await part();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  }
}

async function typeAtEverySpeed(): Promise<boolean> {
  const options = ['test', '--config', 'tests/e2e/playwright.config.ts', 'typing.spec.ts'];
  return (await runTool('playwright', options, { env: { TYPING_PAUSES: 'all' } })).code === 0;
}

async function fuzz(): Promise<boolean> {
  const share = HISTORIES / FUZZING_ROUNDS;
  for (let round = 0; round < FUZZING_ROUNDS; round++) {
    const histories = {
      LEDGER_SEED: String(1 + round * share),
      LEDGER_HISTORIES: String(share),
      BALANCES_SEED: String(1 + round * share),
      BALANCES_HISTORIES: String(share),
      REGION_HISTORIES: String(REGION_HISTORIES / FUZZING_ROUNDS),
    };
    if (!(await vitest('engine', [])) || !(await vitest('pure', [], histories))) return false;
  }
  return true;
}

async function vitest(
  project: string,
  files: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const options = ['--config', 'tests/vitest.config.ts', '--project', project];
  return (await runTool('vitest', ['run', ...options, ...files], { env })).code === 0;
}

/** A script of the repository, as its npm command starts it. */
function runScript(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const child = spawn(process.execPath, [join(root, 'dev/bootstrap.mjs'), script, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  return new Promise((ended) => child.once('close', (code) => ended(code === 0)));
}
