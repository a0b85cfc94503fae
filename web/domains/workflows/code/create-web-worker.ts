/**
 * Starts a worker of the editor. vite.config.ts puts it in the place of Monaco's own module, which imports every feature of the editor
 * after the first editor exists: a second one would then miss their services, and log an error for each.
 */
import { editor } from 'monaco-editor/editor';

interface WorkerOptions {
  readonly label: string;
  readonly createData: unknown;
  readonly host?: Record<string, (...values: never[]) => unknown>;
  readonly keepIdleModels?: boolean;
}

export function createWebWorker({ label, createData, ...options }: WorkerOptions) {
  const start = async () => {
    const worker = await self.MonacoEnvironment?.getWorker?.('workerMain.js', label);
    if (worker === undefined) throw new Error(`The editor has no worker for ${label}`);
    // The first message starts the worker, the second has its settings.
    worker.postMessage('ignore');
    worker.postMessage(createData);
    return worker;
  };
  return editor.createWebWorker({ worker: start(), ...options });
}
