// Deletes organisations in tests, and reads what is left of them anywhere.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { LOCATIONS } from '#contracts/public/locations';
import { eventStreamStub, ledgerAt, replicaStub } from '#objects/stubs';
import { runDeletionSchedule } from '#worker/domains/organisation-deletion/run-deletion-schedule';
import type { Env } from '#worker/env';
import { workContext } from '#worker/http/make-work-context';
import { PASSWORD } from './accounts.ts';
import { eventually } from './eventually.ts';
import type { Answer, Tenant } from './tenants.ts';

export const NAME = 'Analytical Engines';

/** As an owner does it. @param body replaces fields of a right request */
export function requestDeletion(tenant: Tenant, body: object = {}): Promise<Answer<{ dueAt: number }>> {
  return tenant.call('POST', '/deletion', { name: NAME, password: PASSWORD, ...body });
}

/** The delay is over. */
export async function makeDue({ orgId }: Pick<Tenant, 'orgId'>): Promise<void> {
  await env.DB.prepare('UPDATE organisation_deletion SET due_at = 1 WHERE org_id = ?').bind(orgId).run();
}

/** One run of the schedule. @param bindings replaces some */
export function runOnce(bindings: Partial<Env> = {}): Promise<void> {
  return runDeletionSchedule(workContext({ ...env, ...bindings }, Date.now));
}

/** The bindings that a deletion uses, each of which fails the first time that it is used. @param failed collects their names */
export function failingOnce(failed: Set<string>): Partial<Env> {
  const names = ['EVENT_STREAM', 'EVENT_ARCHIVE', 'ARTIFACTS', 'ENVIRONMENT_REPLICA', 'LEDGER'] as const;
  const failing = (name: (typeof names)[number]) =>
    new Proxy(env[name] as object, {
      get(binding, member) {
        if (!failed.has(name)) {
          failed.add(name);
          throw new Error(`${name} is down`);
        }
        const found = Reflect.get(binding, member) as unknown;
        return typeof found === 'function' ? found.bind(binding) : found;
      },
    });
  return Object.fromEntries(names.map((name) => [name, failing(name)]));
}

interface DeletionRow {
  readonly step: string;
  readonly position: number;
  readonly busy_until: number;
  readonly started_at: number | null;
}

export function deletionRow({ orgId }: Pick<Tenant, 'orgId'>): Promise<DeletionRow | null> {
  return env.DB.prepare('SELECT * FROM organisation_deletion WHERE org_id = ?')
    .bind(orgId)
    .first<DeletionRow>();
}

/** Runs the schedule until the organisation is gone. The queues deliver on their own meanwhile. */
export async function runToTheEnd(tenant: Pick<Tenant, 'orgId'>): Promise<void> {
  await makeDue(tenant);
  await eventually(async () => {
    await runOnce();
    expect(await deletionRow(tenant)).toBeNull();
  });
}

/** Every row of D1 that contains one of the texts, by table. */
export async function rowsWith(texts: readonly string[]): Promise<Record<string, unknown[]>> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%' ORDER BY name",
  ).all<{ name: string }>();
  const found: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    const { results } = await env.DB.prepare(`SELECT * FROM "${name}" ORDER BY 1`).all();
    const rows = results.filter((row) => texts.some((text) => JSON.stringify(row).includes(text)));
    if (rows.length > 0) found[name] = rows;
  }
  return found;
}

/** The keys of both buckets that name the organisation. */
export async function archivedOf({ orgId }: Pick<Tenant, 'orgId'>): Promise<string[]> {
  const listed = await Promise.all([env.EVENT_ARCHIVE.list(), env.ARTIFACTS.list()]);
  return listed
    .flatMap(({ objects }) => objects.map(({ key }) => key))
    .filter((key) => key.includes(orgId))
    .sort();
}

/** The tables of the environments' replicas and ledgers in every location, and of the event stream those with rows. */
export async function storedInObjects(
  { orgId }: Pick<Tenant, 'orgId'>,
  environmentIds: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const environmentId of environmentIds) {
    for (const location of LOCATIONS) {
      const stubs = [await replicaStub(env, environmentId, location)] as DurableObjectStub[];
      for (let shard = 0; shard < 16; shard++)
        stubs.push(await ledgerAt(env, { environmentId, location, shard }));
      const tables = await Promise.all(
        stubs.map((stub) => runInDurableObject(stub, (_, state) => tablesOf(state))),
      );
      found.push(...tables.flat());
    }
  }
  const stream = await eventStreamStub(env, orgId, 'weur');
  const filled = await runInDurableObject(stream, (_, state) =>
    tablesOf(state).filter(
      (name) => state.storage.sql.exec(`SELECT 1 FROM "${name}" LIMIT 1`).toArray().length > 0,
    ),
  );
  return [...found, ...filled.map((name) => `stream.${name}`)];
}

function tablesOf({ storage }: DurableObjectState): string[] {
  return storage.sql
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'search\\_%' ESCAPE '\\'",
    )
    .toArray()
    .map(({ name }) => name);
}
