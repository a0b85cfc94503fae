// Steps of `npm run check` and `npm test`. Each returns how many tests passed and what failed. A step without test counts, or one
// that breaks before it can count, is one failure if it fails and nothing otherwise.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { captureTool, runTool, type ToolResult } from './run-tool.ts';

export interface Tally {
  passed: number;
  /** What failed: a test's file and name with the first line of its error, or the step. */
  failures: readonly string[];
  /** Names of tests that passed on the second try. */
  flaky?: readonly string[];
  /** What a step has printed that runs beside another. */
  output?: string;
}

/** Type-checks, lints, and finds unused code and packages (configured in .knip.json), in parallel. Prints failures only. */
export async function checkTypesAndLint(): Promise<Tally> {
  heading('Types and lint');
  const runs = [
    ['types', captureTool('tsc', ['-b'])] as const,
    ['lint and format', captureTool('biome', ['check', '--error-on-warnings'])] as const,
    ['unused code', captureTool('knip', ['--no-progress', '--treat-config-hints-as-errors'])] as const,
  ];
  const failures: string[] = [];
  for (const [name, run] of runs) {
    const { code, output } = await run;
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}`);
    if (code === 0) continue;
    failures.push(name);
    console.log(output.trimEnd());
  }
  return { passed: 0, failures };
}

/** Tests that need neither a server nor a browser, with fewer random histories and inputs than `runVitestTests`. */
export function runQuickTests(): Promise<Tally> {
  return runVitest(
    'Tests in Node: engine, sdk, pure, rules, web, dev',
    ['engine', 'sdk', 'pure', 'rules', 'web', 'dev'],
    {
      LEDGER_HISTORIES: '40',
      REGION_HISTORIES: '5',
      PROPERTY_RUNS: '30',
    },
  );
}

/**
 * All tests in Node (those of `runQuickTests`, the Stripe emulator’s, those in projects of others, and those that kill a server of their own) and in workerd, with
 * local D1, Durable Objects, R2 and Queues. One run of all, because the tests that kill servers mostly wait.
 */
export function runVitestTests(): Promise<Tally> {
  const projects = [
    'engine',
    'sdk',
    'pure',
    'rules',
    'web',
    'dev',
    'emulator',
    'consumers',
    'crash',
    'react',
    'worker',
  ];
  return runVitest(`Tests in Node and workerd: ${projects.join(', ')}`, projects);
}

/** Browser tests against `npm start`. Prints nothing: `show` does, at the end. */
export function runBrowserTests(): Promise<Tally> {
  return counted('Playwright', async (report) => {
    const config = 'tests/e2e/playwright.config.ts';
    // At one failure for nothing in a thousand, every eighth run of all would fail. What needed a second try is named.
    const result = await captureTool(
      'playwright',
      ['test', '--config', config, '--reporter', 'list,json', '--retries', '1'],
      { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report } },
    );
    return { result, count: countPlaywright };
  });
}

/** Prints what the browser tests have to say. */
export function show(browser: Tally): Tally {
  heading('Tests in the browser');
  console.log(browser.output ?? '');
  return browser;
}

async function runVitest(
  title: string,
  projects: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Tally> {
  heading(title);
  return counted('Vitest', async (report) => {
    const projectOptions = projects.flatMap((name) => ['--project', name]);
    const result = await runTool(
      'vitest',
      [
        'run',
        ...['--config', 'tests/vitest.config.ts', ...projectOptions],
        ...['--reporter', 'default', '--reporter', join(import.meta.dirname, 'vitest-report.ts')],
      ],
      { env: { ...env, VITEST_REPORT: report } },
    );
    return { result, count: (tally) => tally as Tally };
  });
}

interface CountedRun {
  result: ToolResult;
  count: (report: unknown) => Tally;
}

/** Runs a step with a report file and counts from the report. A failed run without failed tests counts as one failure. */
async function counted(step: string, run: (reportPath: string) => Promise<CountedRun>): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-report-'));
  const reportPath = join(folder, 'report.json');
  try {
    const { result, count } = await run(reportPath);
    const counts = existsSync(reportPath)
      ? count(JSON.parse(readFileSync(reportPath, 'utf8')))
      : { passed: 0, failures: [] };
    const tally = { ...counts, output: result.output };
    if (result.code === 0 || tally.failures.length > 0) return tally;
    return { ...tally, failures: [`${step} ended with code ${result.code}`] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface PlaywrightError {
  readonly message?: string;
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly file: string;
    readonly tests: readonly {
      readonly status: string;
      readonly results: readonly { readonly error?: PlaywrightError }[];
    }[];
  }[];
}

/** Counts Playwright's JSON report. Its `errors` are those outside tests. */
function countPlaywright(report: unknown): Tally {
  const { stats, errors, suites } = report as {
    stats: { expected: number; flaky: number };
    errors: readonly PlaywrightError[];
    suites: readonly PlaywrightSuite[];
  };
  return {
    passed: stats.expected + stats.flaky,
    failures: [
      ...suites.flatMap((suite) => testsOf(suite, 'unexpected')),
      ...errors.map((error) => firstLine(error)),
    ],
    flaky: suites.flatMap((suite) => testsOf(suite, 'flaky')),
  };
}

/** The tests that ended with a status, each with the first line of its last error. */
function testsOf({ suites = [], specs = [] }: PlaywrightSuite, status: string): string[] {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter((test) => test.status === status)
      .map(({ results }) => `${file}: ${title}: ${firstLine(results.findLast(({ error }) => error)?.error)}`),
  );
  return [...own, ...suites.flatMap((suite) => testsOf(suite, status))];
}

/** The first line of an error's message, without colours. */
export function firstLine(error: { readonly message?: string } | undefined): string {
  return stripVTControlCharacters(error?.message ?? 'no message').split('\n', 1)[0] ?? '';
}

export function heading(title: string): void {
  console.log(`\n== ${title}`);
}

/**
 * Prints what needed a second try and what failed, `N passed, N failed` as the last line, and sets the exit code. Zero passed tests is
 * a failure.
 */
export function conclude(tallies: readonly Tally[]): void {
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
  const failures = tallies.flatMap((tally) => tally.failures);
  for (const name of tallies.flatMap(({ flaky = [] }) => flaky))
    console.log(`\nNeeded a second try: ${name}`);
  for (const failure of failures) console.log(`\nFailed: ${failure}`);
  console.log(`\n${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0;
}
