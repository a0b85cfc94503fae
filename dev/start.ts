// `npm start`: builds, migrates, seeds and serves Tessera locally, from a fresh clone, with the process that runs workflows beside it. With
// --hot (`npm run dev`), Vite also serves the console on port 4000 with hot reload, and changes of the Worker are served at once.
//
// PORT: default 4001. TESSERA_STATE: state folder, default .wrangler/state. TESSERA_VARS: a file of settings that override
// .dev.vars. STRIPE_EMULATOR_PORT: default 241 above PORT. STRIPE_EMULATOR_LATENCY=off: the Stripe emulator answers at
// once. STRIPE_EMULATOR_RETRY_SPEED: by how much it repeats webhooks faster than Stripe, default 60.

import { setInterval as every } from 'node:timers/promises';
import { bundleWorker } from './build/bundle-worker.ts';
import { buildConsole } from './build/console-build.ts';
import { type DemoAccess, seedDemo } from './demo/seed-demo.ts';
import { senderProblem } from './deploy/check-sender.ts';
import { readDeployment } from './deploy/deployment.ts';
import { buildSdk } from './sdk/build-sdk.ts';
import { keepSdkLocally } from './sdk/keep-sdk.ts';
import { explainFailure } from './start/explain-failure.ts';
import { hotConsolePort, startHotConsole } from './start/hot-reload.ts';
import { recordMigrations } from './start/known-migrations.ts';
import { migrateLocally } from './start/local-migrations.ts';
import { type LocalServer, startLocalServer } from './start/local-server.ts';
import { readLocalSettings } from './start/local-settings.ts';
import { type LocalStripe, readEmulatorOptions, startLocalStripe } from './start/local-stripe.ts';
import { localHost, readPort, reservePort } from './start/ports.ts';
import { Progress } from './start/progress.ts';
import { lockState, stateFolder } from './start/state-folder.ts';
import type { ProcessLock } from './tools/process-lock.mjs';
import { readOptions } from './tools/read-options.ts';
import { endTools, root } from './tools/run-tool.ts';
import { StartError } from './tools/start-error.ts';
import { startWorkflowRunner, type WorkflowRunner } from './workflow-runner/start-workflow-runner.ts';
import { SignInRefusedError } from './workspace/sign-in.ts';

const DEFAULT_PORT = 4001;
const { values: options } = readOptions('start', { hot: { type: 'boolean', default: false } });
const isHot = options.hot;
const progress = new Progress();

let lock: ProcessLock | undefined;
let server: LocalServer | undefined;
let stripe: LocalStripe | null = null;
let runner: WorkflowRunner | undefined;
let stopping: Promise<never> | undefined;

/** Once, however many signals come. */
function stop(code: number): Promise<never> {
  stopping ??= end(code);
  return stopping;
}

async function end(code: number): Promise<never> {
  await Promise.all([server?.stop(), endTools()]);
  await Promise.all([stripe?.stop(), runner?.stop()]);
  lock?.release();
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
process.on('disconnect', () => void stop(0)); // The bootstrap process has ended.

try {
  await start();
} catch (error) {
  if (stopping === undefined) {
    const log = server?.log() ?? '';
    const explained =
      explainFailure(error, { stateFolder }) ?? explainFailure(new Error(log), { stateFolder });
    console.error(explained ?? (error instanceof Error ? error.message : error));
    if (explained === null && log !== '')
      console.error(`\nThe end of the server's log:\n\n${log.slice(-4000)}`);
    await stop(1);
  }
}

async function start(): Promise<void> {
  const port = readPort('PORT', process.env.PORT) ?? DEFAULT_PORT;
  const url = `http://${await localHost()}:${port}`;
  const settings = readLocalSettings(url);
  const emulatorOptions = await readEmulatorOptions(settings, isHot ? [port, hotConsolePort] : [port]);
  console.log('Starting Tessera ...');
  lock = await lockState(stateFolder, url);
  const reservation = await reservePort('PORT', port);
  if (isHot) await ensureHotPort(port);
  await recordMigrations(stateFolder);
  const { on } = progress;
  const ready = [
    on('the workflow runner', startWorkflowRunner()),
    isHot ? null : on('the Worker’s bundle', bundleWorker(`${root}/wrangler.toml`, 'development')),
    on('the console’s build', buildConsole()),
    on('the database’s migrations', migrateLocally(stateFolder, lock)),
    on('the client package', buildSdk()),
    on('wrangler’s configuration', ensureSender(settings.all.MAIL_FROM)),
  ] as const;
  const [startedRunner, bundlePath, , , sdk] = await Promise.all(ready);
  runner = startedRunner;
  if (emulatorOptions !== null)
    stripe = await startLocalStripe(emulatorOptions, { tesseraUrl: url, stateFolder, settings });
  const vars = { ...settings.all, ...runner.vars, ...stripe?.vars, ...settings.own };
  await reservation.release();
  server = await on('the server', startLocalServer({ port, stateFolder, bundlePath, vars }));
  lock.include(server.pid);
  await keepSdkLocally(url, sdk);
  console.log(`Serving ${url}, preparing the demo ...`);
  const demo = await on('the demo', openDemo(url, stripe));
  if (isHot) await startHotConsole(port);
  server.showLog();
  runCron(url);
  announce(
    isHot ? `http://${await localHost()}:${hotConsolePort}` : (settings.own.BASE_URL ?? url),
    demo,
    stripe,
  );
  await server.ended;
  if (stopping === undefined)
    throw new StartError('The server ended unexpectedly; see above. Start it again: npm start');
}

/** @throws {StartError} */
async function ensureSender(mailFrom: string | undefined): Promise<void> {
  const problem = senderProblem(await readDeployment(), mailFrom);
  if (problem !== null) throw new StartError(problem);
}

/** @throws {StartError} */
async function ensureHotPort(port: number): Promise<void> {
  if (port === hotConsolePort)
    throw new StartError(
      `npm run dev serves the console on port ${port}. Choose another for the API: PORT=4001 npm run dev`,
    );
  await (await reservePort('PORT', hotConsolePort)).release();
}

/** @returns the demo's access, or the reason why there is none: the user may have changed the demo */
async function openDemo(baseUrl: string, emulator: LocalStripe | null): Promise<DemoAccess | string> {
  try {
    return await seedDemo({
      baseUrl,
      stripeKey: emulator?.demoKey ?? null,
      say: (step) => console.log(`  ${step} ...`),
    });
  } catch (error) {
    if (error instanceof SignInRefusedError) return error.message;
    throw error;
  }
}

/** Runs the cron trigger of wrangler.toml every minute, as the platform does when deployed. */
async function runCron(url: string): Promise<void> {
  const target = `${url}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('* * * * *')}`;
  for await (const _ of every(60_000)) {
    await fetch(target).catch(() => undefined); // Fails while the server reloads; the next run follows in a minute.
  }
}

function announce(address: string, demo: DemoAccess | string, emulator: LocalStripe | null): void {
  console.log(`
Tessera is ready:  ${address}

${typeof demo === 'string' ? `  Demo sign-in is unavailable. ${demo}\n` : signInNote(demo)}\
  Emails           ${address}/dev/mailbox
${typeof demo === 'string' ? '' : `\n${demo.intro}\n\n${demo.curl}\n`}\
${emulator ? stripeNote(emulator) : ''}
Stop with Ctrl-C.`);
}

function signInNote({ email, password }: DemoAccess): string {
  return `  Sign in as       ${email}
  Password         ${password}
`;
}

function stripeNote({ controlPage, spareKey }: LocalStripe): string {
  return `
Stripe emulator:  ${controlPage}

  Test key         ${spareKey}
`;
}
