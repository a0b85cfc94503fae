// `npm start`: everything that it takes to use Tessera on this machine, from a fresh clone, with one command. With --hot
// (`npm run dev`) the console also comes from Vite on port 4000, which shows every edit at once.
//
// PORT chooses another port than 4001, TESSERA_STATE another folder than .wrangler/state for all that is kept, TESSERA_VARS
// a file of settings that go before those of .dev.vars, STRIPE_EMULATOR_PORT another port for the Stripe emulator than 241 more.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setInterval as every } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { buildConsole } from './console-build.ts';
import { type DemoAccess, seedDemo } from './demo/seed-demo.ts';
import { startHotConsole } from './hot-console.ts';
import { migrateLocally } from './local-migrations.ts';
import { type LocalServer, refuseConflicts, startLocalServer } from './local-server.ts';
import { type LocalStripe, startLocalStripe } from './local-stripe.ts';
import { root } from './tools.ts';

const isHot = process.argv.includes('--hot');
const port = Number(process.env.PORT ?? 4001);
const stateFolder = resolve(root, process.env.TESSERA_STATE ?? '.wrangler/state');
const varsPath = process.env.TESSERA_VARS;

let server: LocalServer | undefined;
let stripe: LocalStripe | null = null;
let isStopping = false;

async function stop(code: number): Promise<never> {
  isStopping = true;
  await server?.stop();
  await stripe?.stop();
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
process.on('disconnect', () => void stop(0)); // The bootstrap above this process is gone.

try {
  console.log('Starting Tessera ...');
  await refuseConflicts({ port, stateFolder });
  await Promise.all([buildConsole(), migrateLocally(stateFolder)]);
  const vars = varsPath ? parseEnv(readFileSync(resolve(root, varsPath), 'utf8')) : {};
  stripe = await startLocalStripe({ tesseraPort: port, stateFolder, vars });
  const ownVars = { ...stripe?.vars, ...vars } as Record<string, string>;
  server = await startLocalServer({ port, stateFolder, vars: ownVars });
  const demo = await seedDemo({ baseUrl: server.url, stripeKey: stripe?.demoKey ?? null });
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
    if (log) console.error(`\nThe end of what the server said meanwhile:\n\n${log.slice(-4000)}`);
    await stop(1);
  }
}

/** What the platform does by itself when deployed: the cron trigger of wrangler.toml, every minute. */
async function runCron(url: string): Promise<void> {
  const target = `${url}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('* * * * *')}`;
  for await (const _ of every(60_000)) {
    await fetch(target).catch(() => undefined); // While the server reloads its code it may refuse; the next minute comes.
  }
}

function announce(address: string, demo: DemoAccess, emulator: LocalStripe | null): void {
  console.log(`
Tessera is ready:  ${address}

  Sign in as       ${demo.email}
  Password         ${demo.password}

${demo.words}

${demo.curl}
${emulator ? stripeWords(emulator) : ''}
Stop with Ctrl-C.`);
}

function stripeWords({ controlPage, spareKey }: LocalStripe): string {
  return `
Stripe is emulated:  ${controlPage}

  A key for you    ${spareKey}
`;
}
