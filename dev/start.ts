// `npm start`: builds, migrates, seeds and serves Tessera locally, from a fresh clone, with its workflow runners beside it. With
// --hot (`npm run dev`), Vite also serves the console on port 4000 with hot reload.
//
// PORT: default 4001. TESSERA_STATE: state folder, default .wrangler/state. TESSERA_VARS: a file of settings that override
// .dev.vars. STRIPE_EMULATOR_PORT: default 241 above PORT. STRIPE_EMULATOR_LATENCY=off: the Stripe emulator answers at
// once. STRIPE_EMULATOR_RETRY_SPEED: by how much it repeats webhooks faster than Stripe, default 60.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setInterval as every } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { buildConsole } from './console-build.ts';
import { type DemoAccess, seedDemo } from './demo/seed-demo.ts';
import { SignInRefusedError } from './demo/sign-in-demo.ts';
import { migrateLocally } from './local-migrations.ts';
import { ensureNoConflicts, type LocalServer, startLocalServer } from './local-server.ts';
import { type LocalStripe, startLocalStripe } from './local-stripe.ts';
import { root } from './tools.ts';
import { startWorkflowRunners, type WorkflowRunners } from './workflow-runner.ts';

const isHot = process.argv.includes('--hot');
const port = Number(process.env.PORT ?? 4001);
const stateFolder = resolve(root, process.env.TESSERA_STATE ?? '.wrangler/state');
const varsPath = process.env.TESSERA_VARS;

let server: LocalServer | undefined;
let stripe: LocalStripe | null = null;
let runners: WorkflowRunners | undefined;
let isStopping = false;

async function stop(code: number): Promise<never> {
  isStopping = true;
  await server?.stop();
  await stripe?.stop();
  await runners?.stop();
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
process.on('disconnect', () => void stop(0)); // The bootstrap process has ended.

try {
  console.log('Starting Tessera ...');
  await ensureNoConflicts({ port, stateFolder });
  const starting = startWorkflowRunners();
  [runners] = await Promise.all([starting, buildConsole(), migrateLocally(stateFolder)]);
  const vars = varsPath ? parseEnv(readFileSync(resolve(root, varsPath), 'utf8')) : {};
  stripe = await startLocalStripe({ tesseraPort: port, stateFolder, vars });
  const ownVars = { ...runners.vars, ...stripe?.vars, ...vars } as Record<string, string>;
  server = await startLocalServer({ port, stateFolder, vars: ownVars });
  console.log(`Serving ${server.url}, preparing the demo ...`);
  const demo = await openDemo(server.url, stripe);
  const address = isHot ? await startHotConsole(port) : server.url;
  server.showLog();
  runCron(server.url);
  announce(address, demo, stripe);
  await server.ended;
  if (!isStopping) {
    console.error('The server ended unexpectedly; see above.');
    process.exit(1);
  }
} catch (error) {
  if (!isStopping) {
    console.error(error instanceof Error ? error.message : error);
    const log = server?.showLog();
    if (log) console.error(`\nThe end of the server's log:\n\n${log.slice(-4000)}`);
    await stop(1);
  }
}

/** @returns the demo's access, or the reason why there is none: the user may have changed the demo */
async function openDemo(baseUrl: string, emulator: LocalStripe | null): Promise<DemoAccess | string> {
  try {
    return await seedDemo({ baseUrl, stripeKey: emulator?.demoKey ?? null });
  } catch (error) {
    if (error instanceof SignInRefusedError) return error.message;
    throw error;
  }
}

/** Serves the console from Vite with hot reload, which proxies /api and /dev to the server. @returns the URL to open */
async function startHotConsole(apiPort: number): Promise<string> {
  process.env.PORT = String(apiPort); // web/vite.config.ts reads it.
  const { createServer } = await import('vite');
  const vite = await createServer({ configFile: `${root}/web/vite.config.ts` });
  await vite.listen();
  return `http://localhost:${vite.config.server.port}`;
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
