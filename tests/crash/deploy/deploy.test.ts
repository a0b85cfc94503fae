// `npm run deploy` against an account that records every call: what it deploys, in which order, and what it refuses before it writes.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { REQUIRED_SECRETS } from '#worker/settings';
import { type FakeAccount, startFakeAccount } from './fake-account.ts';

const root = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'tessera-deploy-'));
const text = readFileSync(join(root, 'wrangler.toml'), 'utf8');
const QUEUES = [...text.matchAll(/^queue = "(.*)"/gm)].map(([, name]) => name ?? '');
const BUCKETS = ['tessera-artifacts', 'tessera-event-archive'];
const MIGRATIONS = readdirSync(join(root, 'migrations')).filter((name) => name.endsWith('.sql'));
const TIMEOUT_MS = 600_000;

const accounts: FakeAccount[] = [];

afterAll(async () => {
  await Promise.all(accounts.map((account) => account.close()));
  rmSync(folder, { recursive: true, force: true });
});

/** An account that has everything, in a jurisdiction or in none. */
async function newAccount(jurisdiction?: string): Promise<FakeAccount> {
  const place = jurisdiction === undefined ? '' : ` (${jurisdiction})`;
  const account = await startFakeAccount({
    queues: new Set(QUEUES),
    buckets: new Set(BUCKETS.map((name) => `${name}${place}`)),
    secrets: new Set(REQUIRED_SECRETS),
    objects: new Map(),
    migrations: [],
  });
  accounts.push(account);
  return account;
}

/** wrangler.toml as it is after the one-time steps. */
function configOf(jurisdiction?: string): string {
  const path = join(folder, `wrangler-${jurisdiction ?? 'default'}.toml`);
  const inRoot = (name: string) => JSON.stringify(join(root, name));
  const config = text
    .replace(/database_id = "[0-]+"/, 'database_id = "f0000000-0000-4000-8000-000000000001"')
    .replace('"worker/index.ts"', inRoot('worker/index.ts'))
    .replace('"web/dist"', inRoot('web/dist'))
    .replace('"migrations"', inRoot('migrations'))
    .replace(/^bucket_name = .*$/gm, (line) =>
      jurisdiction === undefined ? line : `${line}\njurisdiction = "${jurisdiction}"`,
    );
  writeFileSync(path, `account_id = "account"\n${config}`);
  return path;
}

async function deploy({ url }: FakeAccount, ...args: readonly string[]) {
  const child = spawn(process.execPath, [join(root, 'dev/bootstrap.mjs'), 'dev/deploy.ts', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CLOUDFLARE_API_BASE_URL: url, CLOUDFLARE_API_TOKEN: 'token', CI: 'true' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += String(chunk);
    });
  }
  const code = await new Promise((ended) => child.once('close', ended));
  return { code, output };
}

/** What a call changes. wrangler makes its table of migrations if it is not there. */
const isWriting = (call: string) =>
  /^(PUT|PATCH|DELETE) /.test(call) || /^ {2}(?!SELECT|CREATE TABLE IF NOT)/.test(call);
const writesOf = ({ calls }: FakeAccount) =>
  calls.filter(isWriting).map((call) => call.split('\n')[0]?.trim());

test('an option that it does not know is refused before anything is asked', async () => {
  const account = await newAccount();
  expect(await deploy(account, '--env', 'staging')).toEqual({
    code: 1,
    output: 'npm run deploy has no option --env. It takes --dry-run, --config ….\n',
  });
  expect(account.calls).toEqual([]);
});

test(
  'what is missing in the account is named together, and nothing is written',
  async () => {
    const account = await newAccount();
    account.state.queues.delete('tessera-facts');
    account.state.buckets.delete('tessera-event-archive');
    account.state.secrets?.delete('ENCRYPTION_KEY');
    const { code, output } = await deploy(account, '--config', configOf());
    expect(code).toBe(1);
    expect(output).toContain(`Nothing was deployed.
The queue tessera-facts is missing: npx wrangler queues create tessera-facts --message-retention-period-secs 1209600
The bucket tessera-event-archive is missing: npx wrangler r2 bucket create tessera-event-archive
The secret ENCRYPTION_KEY is missing: npx wrangler secret put ENCRYPTION_KEY
`);
    expect(writesOf(account)).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'a dry run bundles, lists the migrations and writes nothing',
  async () => {
    const account = await newAccount();
    const { code, output } = await deploy(account, '--dry-run', '--config', configOf());
    expect(code, output).toBe(0);
    expect(output).toContain(
      `Migrations to apply:\n${MIGRATIONS.join('\n')}\nA dry run: nothing was written.`,
    );
    expect(writesOf(account)).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'the package, the tables and the Worker are deployed in this order, to buckets of a jurisdiction, and the Worker alone once more',
  async () => {
    const account = await newAccount('eu');
    const config = configOf('eu');
    const first = await deploy(account, '--config', config);
    expect(first.code, first.output).toBe(0);
    const writes = writesOf(account);
    expect(writes[0]).toMatch(/^PUT \/r2\/buckets\/tessera-artifacts\/objects\/sdk\/.* \(eu\)$/);
    expect(account.state.migrations).toEqual(MIGRATIONS);
    const worker = writes.indexOf('PUT /workers/scripts/tessera');
    expect(worker).toBeGreaterThanOrEqual(MIGRATIONS.length);
    expect(writes.slice(worker).filter((call) => call?.includes('CREATE'))).toEqual([]);
    expect(account.calls.filter((call) => call.includes('/r2/') && !call.endsWith(' (eu)'))).toEqual([]);

    account.calls.length = 0;
    const { code, output } = await deploy(account, '--config', config);
    expect(code, output).toBe(0);
    expect(writesOf(account)[0]).toBe('PUT /workers/scripts/tessera');
    expect(account.state.migrations).toEqual(MIGRATIONS);
  },
  TIMEOUT_MS,
);
