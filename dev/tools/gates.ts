// Steps of `npm run check` and `npm test`. Each returns how many tests passed and failed. A step without test counts, or one
// that breaks before it can count, is one failure if it fails and nothing otherwise.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captureTool, runTool, type ToolResult } from './run-tool.ts';

export interface Tally {
  passed: number;
  failed: number;
  /** Names of tests that passed on the second try. */
  flaky?: readonly string[];
}

/** Type-checks, lints, and finds unused code and packages (configured in .knip.json), in parallel. Prints failures only. */
export async function checkTypesAndLint(): Promise<Tally> {
  heading('Types and lint');
  const runs = [
    ['types', captureTool('tsc', ['-b'])] as const,
    ['lint and format', captureTool('biome', ['check', '--error-on-warnings'])] as const,
    ['unused code', captureTool('knip', ['--no-progress', '--treat-config-hints-as-errors'])] as const,
  ];
  let failed = 0;
  for (const [name, run] of runs) {
    const { code, output } = await run;
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}`);
    if (code === 0) continue;
    failed += 1;
    console.log(output.trimEnd());
  }
  return { passed: 0, failed };
}

/** Tests that need neither a server nor a browser, with fewer random histories of the ledger than `runNodeTests`. */
export function runQuickTests(): Promise<Tally> {
  return runVitest(
    'Tests in Node: engine, pure, rules, web, dev',
    ['engine', 'pure', 'rules', 'web', 'dev'],
    {
      LEDGER_HISTORIES: '200',
    },
  );
}

/**
 * All tests in Node (those of `runQuickTests`, the Stripe emulator's, and those that kill a server of their own) and in workerd, with
 * local D1, Durable Objects, R2 and Queues. One run of all, because the tests that kill servers mostly wait.
 */
export function runVitestTests(): Promise<Tally> {
  const projects = ['engine', 'pure', 'rules', 'web', 'dev', 'emulator', 'crash', 'worker'];
  return runVitest(`Tests in Node and workerd: ${projects.join(', ')}`, projects);
}

/** Browser tests against `npm start`. */
export async function runBrowserTests(): Promise<Tally> {
  heading('Tests in the browser');
  return counted('playwright.json', async (report) => {
    const result = await runTool(
      'playwright',
      ['test', '--config', 'tests/e2e/playwright.config.ts', '--reporter', 'list,json'],
      { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report } },
    );
    return { result, count: countPlaywright };
  });
}

async function runVitest(
  title: string,
  projects: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Tally> {
  heading(title);
  return counted('vitest.json', async (report) => {
    const projectOptions = projects.flatMap((name) => ['--project', name]);
    const result = await runTool(
      'vitest',
      [
        'run',
        ...['--config', 'tests/vitest.config.ts', ...projectOptions],
        ...['--reporter', 'default', '--reporter', 'json', '--outputFile.json', report],
      ],
      { env },
    );
    return { result, count: countVitest };
  });
}

interface CountedRun {
  result: ToolResult;
  count: (report: unknown) => Tally;
}

/** Runs a step with a report file and counts from the report. A failed run without failed tests counts as one failure. */
async function counted(name: string, run: (reportPath: string) => Promise<CountedRun>): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-report-'));
  const reportPath = join(folder, name);
  try {
    const { result, count } = await run(reportPath);
    const tally = existsSync(reportPath)
      ? count(JSON.parse(readFileSync(reportPath, 'utf8')))
      : { passed: 0, failed: 0 };
    return result.code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Counts Vitest's JSON report. A file that failed to load is one failure. */
function countVitest(report: unknown): Tally {
  const { numPassedTests, numFailedTests, testResults } = report as {
    numPassedTests: number;
    numFailedTests: number;
    testResults: { status: string; assertionResults: unknown[] }[];
  };
  const unloadable = testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return { passed: numPassedTests, failed: numFailedTests + unloadable.length };
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly file: string;
    readonly tests: readonly { readonly status: string }[];
  }[];
}

/** Counts Playwright's JSON report. Its `errors` are those outside tests. */
function countPlaywright(report: unknown): Tally {
  const { stats, errors, suites } = report as {
    stats: { expected: number; unexpected: number; flaky: number };
    errors: unknown[];
    suites: readonly PlaywrightSuite[];
  };
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    flaky: suites.flatMap(flakyTests),
  };
}

function flakyTests({ suites = [], specs = [] }: PlaywrightSuite): string[] {
  const own = specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky'));
  return [...own.map(({ file, title }) => `${file}: ${title}`), ...suites.flatMap(flakyTests)];
}

export function heading(title: string): void {
  console.log(`\n== ${title}`);
}

/** Prints what needed a second try, `N passed, N failed` as the last line, and sets the exit code. Zero passed tests is a failure. */
export function conclude(tallies: readonly Tally[]): void {
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
  for (const name of tallies.flatMap(({ flaky = [] }) => flaky))
    console.log(`\nNeeded a second try: ${name}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}
