// What a deployment needs in the account and cannot make itself, checked before anything is written. Reads only.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { REQUIRED_SECRETS } from '#worker/settings';
import { root } from '../tools/run-tool.ts';
import { StartError } from '../tools/start-error.ts';
import { senderProblem } from './check-sender.ts';
import type { Deployment } from './deployment.ts';

const PLACEHOLDER = /^[0-]*$/;
const MAX_PAGES = 50;

/** @returns what is wrong with the configuration alone, in one sentence; null if nothing is */
export function configProblem(deployment: Deployment): string | null {
  if (PLACEHOLDER.test(deployment.database.id)) {
    return 'wrangler.toml has no database yet: do the one-time steps of docs/deploy.md, "The first time", first.';
  }
  return senderProblem(deployment);
}

/** @returns what is missing in the account, each with the command that makes it; empty if nothing is */
export async function missingInAccount(deployment: Deployment): Promise<string[]> {
  const [queues, buckets, secrets] = await Promise.all([
    missingQueues(deployment),
    missingBuckets(deployment),
    missingSecrets(deployment),
  ]);
  return [...queues, ...buckets, ...secrets];
}

async function missingQueues(deployment: Deployment): Promise<string[]> {
  const found = new Set<string>();
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { code, output } = await deployment.ask('queues', 'list', '--page', String(page));
    if (code !== 0) return [`The account’s queues could not be listed:\n\n${output.trim()}`];
    const named = deployment.queues.filter((queue) => new RegExp(`[\\s│]${queue}[\\s│]`).test(output));
    // A page without any of ours is the last, or follows it.
    if (named.length === 0) break;
    for (const queue of named) found.add(queue);
    if (found.size === deployment.queues.length) break;
  }
  return deployment.queues
    .filter((queue) => !found.has(queue))
    .map(
      (queue) =>
        `The queue ${queue} is missing: npx wrangler queues create ${queue} --message-retention-period-secs 1209600`,
    );
}

async function missingBuckets(deployment: Deployment): Promise<string[]> {
  const problems = deployment.buckets.map(async ({ name, options }) => {
    const { code, output } = await deployment.ask('r2', 'bucket', 'info', name, ...options);
    if (code === 0) return [];
    if (!/does not exist|not found/i.test(output)) {
      return [`The bucket ${name} could not be read:\n\n${output.trim()}`];
    }
    return [`The bucket ${name} is missing: npx wrangler r2 bucket create ${[name, ...options].join(' ')}`];
  });
  return (await Promise.all(problems)).flat();
}

async function missingSecrets(deployment: Deployment): Promise<string[]> {
  const { code, output } = await deployment.ask('secret', 'list', '--format', 'json');
  // Without the Worker there are none.
  const isFirst = code !== 0 && /not found|does not exist|could not be found/i.test(output);
  if (code !== 0 && !isFirst) return [`The Worker’s secrets could not be listed:\n\n${output.trim()}`];
  const [list = '[]'] = /\[[\s\S]*\]/.exec(isFirst ? '[]' : output) ?? [];
  const names = (JSON.parse(list) as { name: string }[]).map(({ name }) => name);
  return REQUIRED_SECRETS.filter((name) => !names.includes(name)).map(
    (name) => `The secret ${name} is missing: npx wrangler secret put ${name}`,
  );
}

/** The names of the migrations that are not applied to the deployed database. @throws {StartError} if it cannot be read */
export async function pendingMigrations(deployment: Deployment): Promise<string[]> {
  const { name } = deployment.database;
  const query = 'SELECT name FROM d1_migrations';
  const { code, output } = await deployment.ask(
    'd1',
    'execute',
    name,
    '--remote',
    '--json',
    '--command',
    query,
  );
  const isFirst = code !== 0 && /no such table/i.test(output);
  if (code !== 0 && !isFirst)
    throw new StartError(`The database ${name} could not be read:\n\n${output.trim()}`);
  const applied = isFirst ? [] : [...output.matchAll(/"name":\s*"([^"]+)"/g)].map(([, each]) => each);
  return readdirSync(join(root, 'migrations'))
    .filter((each) => each.endsWith('.sql') && !applied.includes(each))
    .sort();
}
