/** How many of a workflow's tests pass, in words. */
import type { WorkflowTest } from '#contracts/console/workflow-tests';
import type { WorkflowSummary } from '#contracts/console/workflows';
import { counted } from '#web/ui/format.ts';

type Counts = WorkflowSummary['tests'];

export function countsOf(tests: readonly Pick<WorkflowTest, 'status'>[]): Counts {
  const count = (wanted: WorkflowTest['status']) => tests.filter(({ status }) => status === wanted).length;
  return { passed: count('passed'), failed: count('failed'), notRun: count('not-run') + count(null) };
}

export interface TestState {
  /** 'unknown': none failed, but not all have run on the saved code. */
  readonly state: 'passed' | 'failed' | 'unknown';
  readonly label: string;
  /** Below a header that says what is counted. */
  readonly short: string;
}

/** Null without tests. */
export function testStateOf({ passed, failed, notRun }: Counts): TestState | null {
  const total = passed + failed + notRun;
  if (total === 0) return null;
  const tests = counted(total, 'test');
  const some = (count: number) => (count === total ? tests : `${count} of ${tests}`);
  if (failed > 0) {
    const label = `${some(failed)} ${failed === 1 ? 'fails' : 'fail'}`;
    return { state: 'failed', label, short: `${failed} failed` };
  }
  if (notRun > 0) return { state: 'unknown', label: `${some(notRun)} not run`, short: `${notRun} not run` };
  return { state: 'passed', label: `${tests} ${total === 1 ? 'passes' : 'pass'}`, short: `${total} passed` };
}
