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
}

/** Null without tests. */
export function testStateOf({ passed, failed, notRun }: Counts): TestState | null {
  const total = passed + failed + notRun;
  if (total === 0) return null;
  if (failed > 0) {
    const verb = failed === 1 ? 'fails' : 'fail';
    return {
      state: 'failed',
      label: total === 1 ? `1 test ${verb}` : `${failed} of ${counted(total, 'test')} ${verb}`,
    };
  }
  if (notRun > 0) {
    return {
      state: 'unknown',
      label:
        notRun === total
          ? `${counted(total, 'test')} not run`
          : `${notRun} of ${counted(total, 'test')} not run`,
    };
  }
  return { state: 'passed', label: total === 1 ? '1 test passes' : `${counted(total, 'test')} pass` };
}
