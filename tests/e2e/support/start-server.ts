// Playwright's global setup: runs the same script as `npm start` with an empty folder for its data and the stand-ins of
// GitHub and Google, waits until it serves, and answers how to end it all. The demo is prepared while the first tests run: its
// own tests wait for the file that `DEMO_READY` names.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chooseServer } from './chosen-server.ts';
import { startProviders } from './providers.ts';

const root = resolve(import.meta.dirname, '../../..');
const readyTimeoutMs = 600_000;

/** The environment variable with the path of a file that exists once the demo is complete; unset with a server that was running. */
export const DEMO_READY = 'TESSERA_E2E_DEMO_READY';

export default async function startServer(): Promise<() => Promise<void>> {
  const { url, stripeUrl, isOwn } = await chooseServer();
  if (!isOwn) return async () => undefined;
  const stateFolder = mkdtempSync(join(tmpdir(), 'tessera-e2e-'));
  const providers = await startProviders(url);
  const demoReady = join(stateFolder, 'demo-ready');
  process.env[DEMO_READY] = demoReady;
  const varsPath = join(stateFolder, 'providers.vars');
  const lines = Object.entries(providers.vars).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(varsPath, lines.join(''));
  const child = spawn(process.execPath, ['dev/bootstrap.mjs', 'dev/start.ts'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: new URL(url).port,
      STRIPE_EMULATOR_PORT: new URL(stripeUrl).port,
      STRIPE_EMULATOR_LATENCY: 'off',
      STRIPE_EMULATOR_RETRY_SPEED: '300',
      TESSERA_STATE: stateFolder,
      TESSERA_VARS: varsPath,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((settle) => child.on('close', () => settle()));
  let isStopping = false;
  const stop = async () => {
    isStopping = true;
    child.kill('SIGTERM');
    await ended;
    await providers.close();
    rmSync(stateFolder, { recursive: true, force: true });
  };

  const { promise: ready, resolve: settle, reject } = Promise.withResolvers<void>();
  let output = '';
  const listen = (chunk: Buffer) => {
    output += chunk.toString();
    if (isServing(output)) settle();
    if (output.includes('Tessera is ready')) writeFileSync(demoReady, '');
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  child.on('close', () => {
    reject(new Error(`The server did not start:\n${output}`));
    if (!isStopping && isServing(output)) console.error(`The server ended during the tests:\n${output}`);
  });
  const timer = setTimeout(
    () => reject(new Error(`The server was not ready in time:\n${output}`)),
    readyTimeoutMs,
  );
  try {
    await ready;
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return stop;
}

/** Whether `npm start` has said that it answers requests. */
function isServing(output: string): boolean {
  return output.includes('Serving http');
}
