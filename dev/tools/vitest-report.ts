// The reporter of Vitest from which `gates.ts` counts. Unlike Vitest's own report in JSON, it has the errors outside tests. Writes a
// `Tally` to the file that VITEST_REPORT names.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { firstLine, type Tally } from './gates.ts';
import { root } from './run-tool.ts';

interface ErrorOutsideTests {
  readonly message?: string;
  /** The file whose tests ran when it was thrown. */
  readonly VITEST_TEST_PATH?: string;
}

export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errorsOutsideTests: readonly ErrorOutsideTests[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const tally: Tally = {
      passed: tests.filter((test) => test.result().state === 'passed').length,
      failures: [
        ...tests.filter((test) => test.result().state === 'failed').map(failureOf),
        ...modules.flatMap(failuresToLoad),
        ...errorsOutsideTests.map((error) => `outside a test, ${fileAround(error)}: ${firstLine(error)}`),
      ],
    };
    writeFileSync(process.env.VITEST_REPORT ?? '', JSON.stringify(tally));
  }
}

function failureOf(test: TestCase): string {
  return `${fileOf(test.module)}: ${test.fullName}: ${firstLine(test.result().errors?.[0])}`;
}

function failuresToLoad(module: TestModule): string[] {
  return module.errors().map((error) => `${fileOf(module)}: ${firstLine(error)}`);
}

function fileOf(module: TestModule): string {
  return relative(root, module.moduleId);
}

function fileAround({ VITEST_TEST_PATH: path }: ErrorOutsideTests): string {
  return path === undefined ? 'no file' : `while ${relative(root, path)} ran`;
}
