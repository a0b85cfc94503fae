// A benchmark child process that handles one message at a time, pinned to one core if the system supports it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { signalGroup } from '../../dev/tools/signal-group.ts';
import { type ProcessorUse, processorUse } from './processor-time.ts';

/** If false, server and load share cores and the figures are noisier. */
export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

export interface Child {
  /** @throws {Error} with the child's error message */
  ask<Answer>(message: object): Promise<Answer>;
  /** CPU time of the child's descendants, or its own if it has none; null if unavailable. */
  processorUse(): ProcessorUse | null;
  stop(): void;
}

export interface ChildOptions {
  core: number;
  /** Folder for temporary files of the child and its descendants. */
  temporaryFolder: string;
  /** Limit of open files per process; default: this process's limit. */
  openFiles?: number;
  /** File that the output of the child and its descendants is appended to; default: this process's output. */
  logPath?: string;
}

export function startChild(
  script: string,
  { core, temporaryFolder, openFiles, logPath }: ChildOptions,
): Child {
  const node = [process.execPath, resolve(import.meta.dirname, script)];
  const pinned = canPin ? ['taskset', '--cpu-list', String(core), ...node] : node;
  const limit = ['sh', '-c', `ulimit -n ${openFiles} && exec "$0" "$@"`];
  const [command = '', ...args] = openFiles === undefined ? pinned : [...limit, ...pinned];
  const output = logPath === undefined ? 'inherit' : openSync(logPath, 'a');
  const child = spawn(command, args, {
    stdio: ['ignore', output, output, 'ipc'],
    detached: true,
    env: { ...process.env, TMPDIR: temporaryFolder },
  });
  if (typeof output === 'number') closeSync(output);
  return {
    ask: (message) => ask(child, message),
    processorUse: () => (child.pid === undefined ? null : processorUse(child.pid)),
    stop: () => signalGroup(child.pid, 'SIGKILL'),
  };
}

function ask<Answer>(child: ChildProcess, message: object): Promise<Answer> {
  const { promise, resolve: settle, reject } = Promise.withResolvers<Answer>();
  const onMessage = (answer: object) => {
    child.off('exit', onExit);
    if ('error' in answer) reject(new Error(String(answer.error)));
    else settle(answer as Answer);
  };
  const onExit = () => reject(new Error('A process of the benchmark ended too early'));
  child.once('message', onMessage);
  child.once('exit', onExit);
  child.send(message);
  return promise;
}
