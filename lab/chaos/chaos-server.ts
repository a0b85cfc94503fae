// The server under attack: workerd on its own socket, in a process group that can be killed at any moment, with data that
// survives. It runs the chaos worker, which is the product with faults between its parts, beside the process that runs workflows.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, startChild } from '#lab/bench/child';
import { findFreePort } from '../../dev/tools/free-port.ts';
import { captureTool } from '../../dev/tools/run-tool.ts';
import { startWorkflowRunner, type WorkflowRunner } from '../../dev/workflow-runner/start-workflow-runner.ts';
import type { ServeOrder } from './serve.ts';
import { NO_FAULTS, type Observed, type WorkerFaults } from './workers/worker-faults.ts';

const root = resolve(import.meta.dirname, '../..');
/** The machine is busy with the faults: a workflow's budget is not what is tested. */
const WORKFLOW_PATIENCE_MS = 2_000;

export class ChaosServer {
  readonly url: string;
  kills = 0;
  runnerKills = 0;
  readonly #port: number;
  readonly #folder: string;
  readonly #bundlePath: string;
  readonly #stripeUrl: string;
  readonly #runner: WorkflowRunner;
  readonly #logPath: string;
  #child: Child | null = null;
  #faults: WorkerFaults = NO_FAULTS;

  private constructor(
    port: number,
    folder: string,
    bundlePath: string,
    stripeUrl: string,
    runner: WorkflowRunner,
  ) {
    this.#port = port;
    this.#folder = folder;
    this.#bundlePath = bundlePath;
    this.#stripeUrl = stripeUrl;
    this.#runner = runner;
    this.#logPath = join(folder, 'server.log');
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Bundles the Worker and the workflow runner and starts them, on an empty state. */
  static async start(stripeUrl: string, faults: WorkerFaults): Promise<ChaosServer> {
    const folder = mkdtempSync(join(tmpdir(), 'tessera-chaos-'));
    const bundlePath = await bundle(folder);
    const runner = await startWorkflowRunner();
    const server = new ChaosServer(await findFreePort(), folder, bundlePath, stripeUrl, runner);
    server.#faults = faults;
    await server.#spawn(true);
    return server;
  }

  get faults(): WorkerFaults {
    return this.#faults;
  }

  /** Survives a kill: the next server starts with them. */
  async setFaults(change: Partial<WorkerFaults>): Promise<void> {
    this.#faults = { ...this.#faults, ...change };
    await fetch(`${this.url}/chaos`, { method: 'POST', body: JSON.stringify(this.#faults) });
  }

  async observed(): Promise<Observed> {
    return (await (await fetch(`${this.url}/chaos`)).json()) as Observed;
  }

  async runSchedule(): Promise<void> {
    await fetch(`${this.url}/chaos/scheduled`, { method: 'POST' });
  }

  /** Ends the whole process group at once, and starts again on the same data. */
  async killAndRestart(): Promise<void> {
    this.kills += 1;
    this.#child?.stop();
    await sleep(100);
    await this.#spawn(false);
    // The local queues were in memory: what the outbox still has is sent again, as at every start.
    const response = await fetch(`${this.url}/dev/recover`, {
      method: 'POST',
      headers: { origin: this.url },
    });
    if (!response.ok) throw new Error(`/dev/recover answered ${response.status}: ${await response.text()}`);
  }

  /** Ends the workflow runner's workerd at once; its watchdog starts it again. */
  async killRunner(): Promise<void> {
    this.runnerKills += 1;
    await this.#runner.kill();
  }

  /** @param logPath where to leave what the server logged, mostly the faults that it met; null: nowhere */
  async stop(logPath: string | null): Promise<void> {
    this.#child?.stop();
    await this.#runner.stop();
    if (logPath !== null) cpSync(this.#logPath, logPath);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #spawn(isFirst: boolean): Promise<void> {
    const temporaryFolder = join(this.#folder, 'tmp');
    mkdirSync(temporaryFolder, { recursive: true });
    const child = startChild(resolve(import.meta.dirname, 'serve.ts'), {
      core: 0,
      temporaryFolder,
      logPath: this.#logPath,
    });
    this.#child = child;
    const order: ServeOrder = {
      port: this.#port,
      bundlePath: this.#bundlePath,
      stateFolder: join(this.#folder, 'state'),
      migrates: isFirst,
      vars: {
        BASE_URL: this.url,
        STRIPE_API_BASE: this.#stripeUrl,
        ...this.#runner.vars,
        WORKFLOW_PATIENCE_MS: String(WORKFLOW_PATIENCE_MS),
        CHAOS_FAULTS: JSON.stringify(this.#faults),
      },
    };
    await child.ask(order);
  }
}

async function bundle(folder: string): Promise<string> {
  const output = join(folder, 'bundle');
  const script = resolve(import.meta.dirname, 'workers/chaos-worker.ts');
  const result = await captureTool('wrangler', [
    ...['deploy', script, '--assets', mkdtempSync(join(folder, 'assets-'))],
    ...['--config', resolve(root, 'wrangler.toml'), '--dry-run', '--outdir', output],
  ]);
  if (result.code !== 0) throw new Error(`The Worker could not be bundled:\n${result.output}`);
  return join(output, 'chaos-worker.js');
}
