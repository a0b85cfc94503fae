// Runs command-line tools from node_modules with the current Node and without a shell, so that scripts behave the same on
// every platform.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

const entryPoints = {
  attw: '@arethetypeswrong/cli/dist/index.js',
  biome: '@biomejs/biome/bin/biome',
  'drizzle-kit': 'drizzle-kit/bin.cjs',
  knip: 'knip/bin/knip.js',
  playwright: '@playwright/test/cli.js',
  publint: 'publint/src/cli.js',
  tsc: 'typescript/bin/tsc',
  vite: 'vite/bin/vite.js',
  vitest: 'vitest/vitest.mjs',
  wrangler: 'wrangler/bin/wrangler.js',
} as const;

type Tool = keyof typeof entryPoints;

interface ToolOptions extends SpawnOptions {
  /** Called with the id of the tool's process. */
  readonly onStart?: (pid: number) => void;
}

const running = new Set<ChildProcess>();

/** Starts a tool in the repository root, without standard input. */
function startTool(tool: Tool, args: readonly string[], { onStart, ...options }: ToolOptions): ChildProcess {
  const child = spawn(process.execPath, [resolve(root, 'node_modules', entryPoints[tool]), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    ...options,
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', ...options.env },
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  if (child.pid !== undefined) onStart?.(child.pid);
  return child;
}

/** How long a tool has to end by itself. */
const ENDING_MS = 3_000;

/** Ends the tools that run, and waits until they have. */
export async function endTools(): Promise<void> {
  const ended = [...running].map((child) => new Promise((settle) => child.once('close', settle)));
  for (const child of running) child.kill('SIGTERM');
  const timer = setTimeout(() => {
    for (const child of running) child.kill('SIGKILL');
  }, ENDING_MS);
  await Promise.all(ended);
  clearTimeout(timer);
}

export interface ToolResult {
  /** Exit code; 1 if a signal ended the tool or it could not start. */
  code: number;
  /** Combined standard output and error; empty if inherited. */
  output: string;
}

/** Runs a tool and shows its output. */
export function runTool(tool: Tool, args: readonly string[], options: ToolOptions = {}): Promise<ToolResult> {
  return finish(startTool(tool, args, options));
}

/** Runs a tool and captures its output. */
export function captureTool(
  tool: Tool,
  args: readonly string[],
  options: ToolOptions = {},
): Promise<ToolResult> {
  return finish(startTool(tool, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** Waits for the end of a process and collects what it prints. */
export function finish(child: ChildProcess): Promise<ToolResult> {
  const { promise, resolve: settle } = Promise.withResolvers<ToolResult>();
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  child.on('error', (error) => settle({ code: 1, output: `${output}${error.message}\n` }));
  child.on('close', (code) => settle({ code: code ?? 1, output }));
  return promise;
}
