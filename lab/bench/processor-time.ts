// CPU time as accounted by the system, in nanoseconds: the most stable figure on a shared machine.
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessorUse {
  /** CPU time. */
  readonly seconds: number;
  /** Time in which threads were ready to run and had no core. */
  readonly waitedSeconds: number;
}

/**
 * What the threads of a process group have used so far; null without /proc (only Linux has it). Where the leader has started others, it
 * only looks after them, and what it collects of its start would be noise.
 */
export function processorUse(groupId: number): ProcessorUse | null {
  let seconds = 0;
  let waitedSeconds = 0;
  let isFound = false;
  const processes = processesOf(groupId);
  const started = processes.filter((processId) => processId !== String(groupId));
  for (const processId of started.length > 0 ? started : processes) {
    for (const thread of entriesOf(`/proc/${processId}/task`)) {
      const [used, waited] = read(`/proc/${processId}/task/${thread}/schedstat`)?.split(' ') ?? [];
      if (used === undefined) continue;
      isFound = true;
      seconds += Number(used) / 1e9;
      waitedSeconds += Number(waited) / 1e9;
    }
  }
  return isFound ? { seconds, waitedSeconds } : null;
}

function processesOf(groupId: number): string[] {
  return entriesOf('/proc').filter((entry) => /^\d+$/.test(entry) && groupOf(entry) === groupId);
}

/** The third field after the command name, which may contain spaces. */
function groupOf(processId: string): number {
  const line = read(`/proc/${processId}/stat`) ?? '';
  return Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[2]);
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Not Linux, or the process has ended.
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null; // The thread has ended.
  }
}
