/**
 * Workflow executions in an event's line: `total,failed,JSON`, or nothing. Lists read the two numbers only. What the executions'
 * inputs share is stored once: the JSON is `{ shared: [input …], all: [execution …] }`, and each execution has the index of its
 * shared input and what is its own. Earlier versions stored an array of whole executions, which is read too.
 *
 * What does not fit is dropped in this order: longer diagnostics, long results, log lines from the end, results, inputs. The
 * execution says what was dropped.
 */
import type { WorkflowExecution } from '#contracts/console/workflow-executions';

/** UTF-16 units of all executions of an event: room for about 30,000 characters of logs. */
export const MAX_EXECUTIONS_LENGTH = 40_000;
/** A longer result is dropped before log lines are. */
const MAX_RESULT_LENGTH = 5_000;
const MAX_DIAGNOSTICS = 3;
const MAX_DIAGNOSTIC_LENGTH = 500;
/** Length of the marks `droppedLogs` and `isResultDropped` of one execution, with what separates them. */
const MARKS_LENGTH = 50;

/** What differs between the inputs of one check's workflows. */
interface OwnInput {
  readonly feature?: unknown;
  /** The customer's: provisioning changes them. */
  readonly plans?: unknown;
}

/** `shared`: an index; null if the input was dropped. */
type StoredExecution = Omit<WorkflowExecution, 'input'> & { readonly shared: number | null } & OwnInput;

interface StoredExecutions {
  /** JSON texts. */
  readonly shared: readonly string[];
  readonly all: readonly StoredExecution[];
}

/** @param maxLength UTF-16 units */
export function writeExecutions(
  executions: readonly WorkflowExecution[],
  maxLength = MAX_EXECUTIONS_LENGTH,
): string {
  if (executions.length === 0) return '';
  const failed = executions.filter(({ success }) => !success).length;
  const head = `${executions.length},${failed},`;
  return head + textOf(executions, maxLength - head.length);
}

export function countExecutions(text: string): { total: number; failed: number } {
  const [total = 0, failed = 0] = text === '' ? [] : text.split(',', 2).map(Number);
  return { total, failed };
}

/** What is counted of executions. */
export type CountedRun = Pick<WorkflowExecution, 'workflowId' | 'success' | 'status' | 'wallTime'>;

export function readRuns(text: string): readonly CountedRun[] {
  if (text === '') return [];
  const stored = parsed(text);
  return Array.isArray(stored) ? stored : stored.all;
}

function parsed(text: string) {
  return JSON.parse(text.slice(text.indexOf(',', text.indexOf(',') + 1) + 1)) as
    | { readonly shared: readonly unknown[]; readonly all: readonly StoredExecution[] }
    | WorkflowExecution[];
}

export function readExecutions(text: string): WorkflowExecution[] {
  if (text === '') return [];
  const stored = parsed(text);
  if (Array.isArray(stored)) return stored.map(readFormer);
  return stored.all.map(({ shared, feature, plans, ...execution }) => ({
    ...execution,
    input: shared === null ? null : joined(stored.shared[shared], { feature, plans }),
  }));
}

/** Earlier versions dropped the result together with the input, without a mark. */
function readFormer(execution: WorkflowExecution): WorkflowExecution {
  const { success, input, result } = execution;
  return success && input === null && result === null ? { ...execution, isResultDropped: true } : execution;
}

function textOf(executions: readonly WorkflowExecution[], maxLength: number): string {
  const whole = jsonOf(storedOf(executions));
  return whole.length <= maxLength ? whole : jsonOf(fitting(executions, maxLength));
}

function jsonOf({ shared, all }: StoredExecutions): string {
  return `{"shared":[${shared.join(',')}],"all":${JSON.stringify(all)}}`;
}

function storedOf(executions: readonly WorkflowExecution[]): StoredExecutions {
  const shared = new Map<string, number>();
  const all = executions.map(({ input, ...execution }): StoredExecution => {
    const { rest, own } = split(input);
    const text = JSON.stringify(rest) ?? 'null';
    const index = shared.get(text) ?? shared.size;
    shared.set(text, index);
    return { ...execution, shared: index, ...own };
  });
  return { shared: [...shared.keys()], all };
}

function fitting(executions: readonly WorkflowExecution[], maxLength: number): StoredExecutions {
  const short = storedOf(executions.map(withShortDiagnostics));
  const open = short.all.map((each) => new OpenExecution(each));
  let excess = jsonOf(short).length + open.length * MARKS_LENGTH - maxLength;
  const dropResults = (minLength: number) => {
    for (const each of open.toSorted((one, other) => other.resultLength - one.resultLength)) {
      if (excess > 0 && each.resultLength > minLength) excess -= each.dropResult();
    }
  };
  dropResults(MAX_RESULT_LENGTH);
  while (excess > 0) {
    const longest = open.reduce((one, other) => (other.logsLength > one.logsLength ? other : one));
    if (longest.logsLength === 0) break;
    excess -= longest.dropLastLog();
  }
  dropResults('null'.length);
  const all = open.map((each) => each.close());
  if (excess <= 0) return { shared: short.shared, all };
  return { shared: [], all: all.map(({ feature: _, plans: __, ...each }) => ({ ...each, shared: null })) };
}

function withShortDiagnostics(execution: WorkflowExecution): WorkflowExecution {
  const all = execution.diagnosticMessages;
  const kept = all.slice(0, MAX_DIAGNOSTICS).map((text) => text.slice(0, MAX_DIAGNOSTIC_LENGTH));
  const more = all.length - kept.length;
  return { ...execution, diagnosticMessages: more === 0 ? kept : [...kept, `${more} more`] };
}

/** An execution that loses parts until it fits. */
class OpenExecution {
  readonly #execution: StoredExecution;
  readonly #logLengths: number[];
  logsLength: number;
  resultLength: number;

  constructor(execution: StoredExecution) {
    this.#execution = execution;
    this.#logLengths = execution.logs.map((line) => JSON.stringify(line).length + 1);
    this.logsLength = this.#logLengths.reduce((sum, length) => sum + length, 0);
    this.resultLength = JSON.stringify(execution.result)?.length ?? 0;
  }

  /** @returns what it saves; so does dropResult */
  dropLastLog(): number {
    const length = this.#logLengths.pop() ?? 0;
    this.logsLength -= length;
    return length;
  }

  dropResult(): number {
    const saved = this.resultLength - 'null'.length;
    this.resultLength = 0;
    return saved;
  }

  close(): StoredExecution {
    const { logs, result } = this.#execution;
    const kept = this.#logLengths.length;
    const isResultDropped = this.resultLength === 0 && result !== undefined;
    return {
      ...this.#execution,
      logs: logs.slice(0, kept),
      ...(kept < logs.length && { droppedLogs: logs.length - kept }),
      ...(isResultDropped && { result: null, isResultDropped }),
    };
  }
}

function split(input: unknown): { readonly rest: unknown; readonly own: OwnInput } {
  if (!isObject(input)) return { rest: input, own: {} };
  const { feature, customer, ...rest } = input;
  if (!isObject(customer)) return { rest: { ...rest, customer }, own: { feature } };
  const { plans, ...others } = customer;
  return { rest: { ...rest, customer: others }, own: { feature, plans } };
}

/** The opposite of `split`. */
function joined(rest: unknown, { feature, plans }: OwnInput): unknown {
  if (!isObject(rest)) return rest;
  const { customer } = rest;
  return {
    ...rest,
    ...(isObject(customer) && plans !== undefined && { customer: { ...customer, plans } }),
    ...(feature !== undefined && { feature }),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
