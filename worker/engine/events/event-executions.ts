/**
 * Workflow executions in an event's line: `total,failed,JSON`, or nothing. Lists read the two numbers only. Executions that are too
 * long for a line lose their logs first, then their input and result.
 */
import type { WorkflowExecution } from '#contracts/console/workflow-executions';

/** UTF-16 units of all executions of an event. */
const MAX_LENGTH = 30_000;
const SHORTENED = 'The logs of this call were too long to be stored';

export function writeExecutions(executions: readonly WorkflowExecution[]): string {
  if (executions.length === 0) return '';
  const failed = executions.filter(({ success }) => !success).length;
  return `${executions.length},${failed},${textOf(executions)}`;
}

export function countExecutions(text: string): { total: number; failed: number } {
  const [total = 0, failed = 0] = text === '' ? [] : text.split(',', 2).map(Number);
  return { total, failed };
}

export function readExecutions(text: string): WorkflowExecution[] {
  if (text === '') return [];
  return JSON.parse(text.slice(text.indexOf(',', text.indexOf(',') + 1) + 1)) as WorkflowExecution[];
}

function textOf(executions: readonly WorkflowExecution[]): string {
  const whole = JSON.stringify(executions);
  if (whole.length <= MAX_LENGTH) return whole;
  const withoutLogs = executions.map((each) => ({
    ...each,
    logs: [],
    diagnosticMessages: [...each.diagnosticMessages.slice(0, 3).map((text) => text.slice(0, 500)), SHORTENED],
  }));
  const short = JSON.stringify(withoutLogs);
  if (short.length <= MAX_LENGTH) return short;
  return JSON.stringify(withoutLogs.map((each) => ({ ...each, input: null, result: null })));
}
