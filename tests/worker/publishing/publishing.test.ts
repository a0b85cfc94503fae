import { createMessageBatch, createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Artifact, DeploymentStatus, EnvironmentStatus } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import { LOCATIONS } from '#contracts/public/locations';
import { NOWHERE } from '#engine/access/place';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { REPLICA_MS, replicaStub } from '#objects/stubs';
import { newId } from '#runtime/ids';
import type { EnvironmentChanged, QueueMessage } from '#runtime/messages';
import { expectConsole } from '#tests/support/expect-console';
import { SilentBindings } from '#tests/support/silence';
import {
  deliver,
  enableLocations,
  newTenant,
  outboxMessages,
  publishAll,
  type Tenant,
} from '#tests/support/tenants';
import { newWorkspace, type SmallWorkspace } from '#tests/support/workspaces';
import { openDatabase } from '#worker/db/database';
import { environment } from '#worker/db/schema/environments';
import { freezeVersion } from '#worker/domains/artifacts/freeze-version';
import { publishEnvironment } from '#worker/domains/publishing/publish-environment';
import { publishWorkspace } from '#worker/domains/publishing/publish-workspace';
import { pullSnapshot } from '#worker/domains/snapshots/pull-snapshot';
import type { Env } from '#worker/env';
import { workContext } from '#worker/http/make-work-context';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import worker from '#worker/index';

async function replicaHolds(
  environmentId: string,
  location = 'weur' as const,
): Promise<EnvironmentSnapshot | null> {
  const replica = await replicaStub(env, environmentId, location);
  const answer = await replica.pull(-1);
  return answer.kind === 'snapshot' ? answer.snapshot : null;
}

function contentOf(snapshot: EnvironmentSnapshot | null): ArtifactContent {
  if (!snapshot?.artifact) throw new Error('Nothing is deployed there');
  return JSON.parse(snapshot.artifact.content) as ArtifactContent;
}

function seatsIn(snapshot: EnvironmentSnapshot | null): unknown {
  return contentOf(snapshot).plans[0]?.values.find(({ value }) => typeof value === 'number')?.value;
}

async function inWesternEurope(): Promise<Tenant> {
  const tenant = await newTenant();
  await enableLocations(tenant, 'weur');
  return tenant;
}

async function previewStatus(tenant: Tenant): Promise<EnvironmentStatus> {
  const { environments } = await tenant.make<DeploymentStatus>('GET', '/deployments?previewOnly=true');
  const [preview] = environments;
  if (preview === undefined) throw new Error('no preview environment');
  return preview;
}

/** Bindings with which the replicas of one data location cannot be reached, or never answer. */
function withoutReplica(location: string, how: 'fails' | 'hangs' = 'fails'): Env {
  const hanging = { publish: () => new Promise<never>(() => undefined) };
  const replicas = new Proxy(env.ENVIRONMENT_REPLICA, {
    get(namespace, name) {
      if (name !== 'getByName') return Reflect.get(namespace, name);
      return (id: string, options: { locationHint: DurableObjectLocationHint }) => {
        if (options.locationHint === location && how === 'hangs') return hanging;
        if (options.locationHint === location) throw new Error(`${location} cannot be reached`);
        return namespace.getByName(id, options);
      };
    },
  });
  return { ...env, ENVIRONMENT_REPLICA: replicas };
}

describe('the preview environment', () => {
  let tenant: Tenant;
  let workspace: SmallWorkspace;
  let previewId: string;

  beforeAll(async () => {
    tenant = await inWesternEurope();
    workspace = await newWorkspace(tenant, 5);
    await publishAll(tenant);
    previewId = await tenant.previewId();
  });

  it('runs the current workspace without a deployment', async () => {
    expect(seatsIn(await replicaHolds(previewId))).toBe(5);
    await workspace.setSeats(6);
    await publishAll(tenant);
    expect(seatsIn(await replicaHolds(previewId))).toBe(6);
    expect(await previewStatus(tenant)).toMatchObject({
      isHead: true,
      deployInProgress: false,
      artifactNumber: null,
    });
  });

  it('is not at head until the change is published', async () => {
    await workspace.setSeats(7);
    const messages = await outboxMessages(tenant.orgId);
    if (messages.length > 0) {
      // The queue has not been faster than this test.
      expect((await previewStatus(tenant)).isHead).toBe(false);
    }
    await publishAll(tenant);
    expect((await previewStatus(tenant)).isHead).toBe(true);
  });

  it('is unchanged by a message delivered twice', async () => {
    await workspace.setSeats(8);
    const messages = await outboxMessages(tenant.orgId);
    await publishAll(tenant);
    const before = await replicaHolds(previewId);
    await deliver('tessera-publish', [...messages, ...messages]);
    expect(await replicaHolds(previewId)).toEqual(before);
    expect(await outboxMessages(tenant.orgId)).toEqual([]);
  });

  it('keeps the newest state if messages arrive out of order', async () => {
    await workspace.setSeats(9);
    const first = await outboxMessages(tenant.orgId);
    await workspace.setSeats(10);
    const second = await outboxMessages(tenant.orgId);
    await deliver('tessera-publish', [...second].reverse());
    await deliver('tessera-publish', [...first].reverse());
    await publishAll(tenant);
    expect(seatsIn(await replicaHolds(previewId))).toBe(10);
  });

  it('is published although the message was lost: cron resends outbox rows older than a minute', async () => {
    await publishAll(tenant);
    await workspace.setSeats(11);
    await publishAll(tenant);
    // As after a kill between the commit and the publication: the row exists, but the queue has no message.
    const message: QueueMessage = { type: 'workspace.changed', outboxId: 'out_lost', orgId: tenant.orgId };
    await env.DB.batch([
      env.DB.prepare('UPDATE organization SET workspace_revision = workspace_revision + 1 WHERE id = ?').bind(
        tenant.orgId,
      ),
      env.DB.prepare(
        'UPDATE plan_version SET properties = replace(properties, \'"value":11\', \'"value":12\') WHERE plan_id = ?',
      ).bind(workspace.plan.planId),
      env.DB.prepare(
        'INSERT INTO outbox (id, org_id, type, payload, created_at, sent_at) VALUES (?, ?, ?, ?, ?, ?)',
      ).bind(
        message.outboxId,
        tenant.orgId,
        message.type,
        JSON.stringify(message),
        Date.now() - 120_000,
        Date.now() - 61_000,
      ),
    ]);
    await worker.scheduled(createScheduledController(), env);
    await expect.poll(async () => seatsIn(await replicaHolds(previewId))).toBe(12);
    await expect.poll(() => outboxMessages(tenant.orgId)).toEqual([]);
  });

  it('is built once for several quick changes, and unused head artifacts are deleted', async () => {
    for (const seats of [20, 21, 22]) await workspace.setSeats(seats);
    await publishAll(tenant);
    const { results } = await env.DB.prepare('SELECT id FROM artifact WHERE org_id = ? AND number IS NULL')
      .bind(tenant.orgId)
      .all();
    expect(results).toHaveLength(1);
  });
});

describe('data locations', () => {
  it('each receive the environment; a disabled one drops its snapshot and returns the enabled locations', async () => {
    const tenant = await inWesternEurope();
    await newWorkspace(tenant, 5);
    await enableLocations(tenant, 'enam', 'weur');
    await publishAll(tenant);
    const previewId = await tenant.previewId();
    const east = await replicaStub(env, previewId, 'enam');
    expect(await east.pull(-1)).toMatchObject({
      kind: 'snapshot',
      snapshot: { locations: ['enam', 'weur'] },
    });
    expect((await previewStatus(tenant)).locations).toEqual([
      { location: 'enam', isUpToDate: true, failedAt: null },
      { location: 'weur', isUpToDate: true, failedAt: null },
    ]);

    await enableLocations(tenant, 'enam');
    await publishAll(tenant);
    const west = await replicaStub(env, previewId, 'weur');
    expect(await west.pull(-1)).toEqual({ kind: 'moved', locations: ['enam'] });
    expect(await east.pull(-1)).toMatchObject({ kind: 'snapshot', snapshot: { locations: ['enam'] } });
  });

  it('that do not acknowledge a deployment are named, and the others serve it meanwhile', async () => {
    const tenant = await newTenant();
    const live = await tenant.make<Environment>('POST', '/environments', {
      name: 'Production',
      type: 'live',
    });
    await publishAll(tenant);
    await newWorkspace(tenant, 5);
    const { artifactId } = await tenant.make<Artifact>('POST', '/artifacts', {});
    await publishAll(tenant);
    const statusOf = async () => {
      const { environments } = await tenant.make<DeploymentStatus>('GET', '/deployments');
      return environments.find(({ environmentId }) => environmentId === live.id)!;
    };
    const [cutOff] = (await statusOf()).locations;

    await tenant.make('PUT', `/deployments/${live.id}/artifact`, { artifactId });
    expect(
      (await statusOf()).locations.map(({ isUpToDate, failedAt }) => [isUpToDate, failedAt]),
    ).toContainEqual([false, null]);
    const [message] = await outboxMessages(tenant.orgId);
    const context = workContext(withoutReplica(cutOff!.location), Date.now);
    await expect(publishEnvironment(context, message as EnvironmentChanged)).rejects.toThrow(
      '1 data locations did not acknowledge',
    );
    const behind = await statusOf();
    expect(behind.deployInProgress).toBe(true);
    for (const { location, isUpToDate, failedAt } of behind.locations) {
      expect([location, isUpToDate]).toEqual([location, location !== cutOff?.location]);
      expect([location, failedAt]).toEqual([location, isUpToDate ? null : expect.any(Number)]);
    }

    await publishAll(tenant);
    const settled = await statusOf();
    expect(settled.deployInProgress).toBe(false);
    expect(settled.locations.every(({ isUpToDate, failedAt }) => isUpToDate && failedAt === null)).toBe(true);
  });

  it('that do not answer delay no other workspace, and a refused version publishes the head that it built', async () => {
    const tenant = await newTenant();
    await newWorkspace(tenant, 5);
    await tenant.make<Artifact>('POST', '/artifacts', {});
    await publishAll(tenant);
    const location = (await previewStatus(tenant)).locations[0]?.location ?? 'none';
    const sent: QueueMessage[] = [];
    const queue = { send: async (message: QueueMessage) => void sent.push(message) };
    const bindings = { ...withoutReplica(location), PUBLISH_QUEUE: queue } as unknown as Env;
    const ctx = workContext(bindings, Date.now);
    const change = () =>
      env.DB.prepare('UPDATE organization SET workspace_revision = workspace_revision + 1 WHERE id = ?')
        .bind(tenant.orgId)
        .run();
    const { orgId } = tenant;
    const published = { type: 'environment.changed', orgId, environmentId: await tenant.previewId() };
    await change();
    await publishWorkspace(ctx, { type: 'workspace.changed', outboxId: 'out_none', orgId });
    expect(sent).toEqual([expect.objectContaining(published)]);

    await change();
    const scope = { orgId } as MemberScope;
    await expect(freezeVersion(ctx as RequestContext, scope)).rejects.toThrow('has no changes since');
    expect(sent.slice(1)).toEqual([expect.objectContaining(published)]);
    await publishAll(tenant);
  });

  it('are sent the artifact if they lack it, and otherwise only what else has changed', async () => {
    const tenant = await newTenant();
    const { orgId } = tenant;
    await enableLocations(tenant, 'weur', 'oc');
    await newWorkspace(tenant, 5);
    await publishAll(tenant);
    const environmentId = await tenant.previewId();
    const publishNext = async (bindings = new SilentBindings()) => {
      await env.DB.prepare('UPDATE environment SET generation = generation + 1 WHERE id = ?')
        .bind(environmentId)
        .run();
      const message = { type: 'environment.changed', outboxId: 'out_none', orgId, environmentId } as const;
      await publishEnvironment(workContext(bindings.env, Date.now), message);
      return bindings.calls.map((call) => call.replace('ENVIRONMENT_REPLICA ', '')).toSorted();
    };
    expect(await publishNext()).toEqual(['oc publishChange', 'weur publishChange']);
    expect(seatsIn(await replicaHolds(environmentId))).toBe(5);
    await (await replicaStub(env, environmentId, 'weur')).erase();
    expect(await publishNext()).toEqual(['oc publishChange', 'weur publish', 'weur publishChange']);
    expect(seatsIn(await replicaHolds(environmentId))).toBe(5);
    // The replica runs an earlier version.
    const error = new TypeError('The RPC receiver does not implement the method "publishChange".');
    const earlier = new SilentBindings().silence('ENVIRONMENT_REPLICA', { method: 'publishChange', error });
    expect((await publishNext(earlier)).filter((call) => call.endsWith('publish'))).toHaveLength(2);
  });

  it('that do not answer are given up after a while, and what the others say is stored before', async () => {
    const tenant = await newTenant();
    const { orgId } = tenant;
    // Not through the API, whose messages the queue delivers: they would publish it to every location.
    const now = Date.now();
    const environmentId = newId('env', now);
    const times = { createdAt: now, updatedAt: now };
    await openDatabase(env.DB)
      .insert(environment)
      .values({ id: environmentId, orgId, name: 'Shop', type: 'live', deployGeneration: 1, ...times });
    const locations = async () => {
      const { environments } = await tenant.make<DeploymentStatus>('GET', '/deployments');
      return environments.find((each) => each.environmentId === environmentId)?.locations ?? [];
    };
    const [silent, ...others] = await locations();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const publishing = publishEnvironment(workContext(withoutReplica(silent!.location, 'hangs'), Date.now), {
      type: 'environment.changed',
      outboxId: 'out_none',
      orgId,
      environmentId,
    });
    const isFailing = expect(publishing).rejects.toThrow('1 data locations did not acknowledge');
    const upToDate = async () => (await locations()).filter(({ isUpToDate }) => isUpToDate);
    while ((await upToDate()).length < others.length) await scheduler.wait(50);
    expect((await locations())[0]).toMatchObject({ isUpToDate: false, failedAt: null });
    await vi.advanceTimersByTimeAsync(REPLICA_MS);
    await isFailing;
    vi.useRealTimers();
    expect((await locations())[0]).toMatchObject({
      location: silent?.location,
      isUpToDate: false,
      failedAt: expect.any(Number),
    });
  });

  it('that were erased with their environment stay empty when somebody still calls with its key', async () => {
    const tenant = await inWesternEurope();
    const { id } = await tenant.make<Environment>('POST', '/environments', { name: 'Old', type: 'live' });
    await publishAll(tenant);
    const replica = await replicaStub(env, id, 'weur');
    const known = await replicaHolds(id);
    expect((await tenant.call('DELETE', `/environments/${id}`)).status).toBe(204);
    await publishAll(tenant);
    await replica.erase();
    for (const remembered of [null, known]) {
      expect(await pullSnapshot(env, id, remembered, NOWHERE)).toMatchObject({ newest: { keys: [] } });
      expect(await replica.pull(-1)).toEqual({ kind: 'absent' });
    }
  });

  it('cannot all be disabled', async () => {
    const tenant = await newTenant();
    const none = Object.fromEntries(LOCATIONS.map((location) => [location, false]));
    const answer = await tenant.call<{ issues: unknown }>('PUT', '/data-locations', { locations: none });
    expect(answer.status).toBe(400);
    expect(answer.body.issues).toEqual([expect.objectContaining({ path: 'locations' })]);
  });
});

it('ledgers that are slow to close hold neither their batch nor the next one', async () => {
  const tenant = await inWesternEurope();
  const environmentId = await tenant.previewId();
  await publishAll(tenant);
  const { promise: erased, resolve: endErasing } = Promise.withResolvers<boolean>();
  const slow = { rejoin: () => erased, erase: () => erased };
  const bindings = { ...env, LEDGER: { getByName: () => slow } } as unknown as Env;
  const closed = { type: 'location.closed', outboxId: 'out_slow', orgId: tenant.orgId } as const;
  const acked: number[] = [];
  const messages = [0, 1].map((index) => ({
    id: `${index}`,
    timestamp: new Date(),
    attempts: 1,
    retry: () => undefined,
    body: { ...closed, environmentId, location: 'oc', fromShard: 0 },
    ack: () => void acked.push(index),
  }));
  const batch = { ...createMessageBatch<QueueMessage>('tessera-publish', []), queue: 'tessera-publish' };
  try {
    await worker.queue({ ...batch, messages } as MessageBatch<QueueMessage>, bindings);
    expect(acked).toEqual([0, 1]);
  } finally {
    endErasing(true);
  }
});

describe('a queue message that fails', () => {
  it('is retried alone, and the rest of the batch is processed', async () => {
    const tenant = await inWesternEurope();
    const workspace = await newWorkspace(tenant, 5);
    await publishAll(tenant);
    await workspace.setSeats(30);
    const healthy = await outboxMessages(tenant.orgId);
    const poison = { type: 'no-such-message' } as unknown as QueueMessage;
    expectConsole('warn', /queue message failed/);
    const context = { acked: [] as number[], retried: [] as number[] };
    const batch = createMessageBatch<QueueMessage>('tessera-publish', []);
    const messages = [poison, ...healthy, poison].map((body, index) => ({
      id: `${index}`,
      timestamp: new Date(),
      attempts: 1,
      body,
      ack: () => void context.acked.push(index),
      retry: () => void context.retried.push(index),
    }));
    await worker.queue({ ...batch, queue: 'tessera-publish', messages } as MessageBatch<QueueMessage>, env);
    expect(context.retried).toEqual([0, messages.length - 1]);
    expect(context.acked).toHaveLength(healthy.length);
    await publishAll(tenant);
    expect(seatsIn(await replicaHolds(await tenant.previewId()))).toBe(30);
  });

  it('is stored as a dead letter after its last attempt', async () => {
    expectConsole('error', /queue message moved to dead letters/);
    const body: QueueMessage = { type: 'workspace.changed', outboxId: 'out_dead', orgId: 'org_dead' };
    await deliver('tessera-publish-dead', [body]);
    const row = await env.DB.prepare(
      "SELECT queue, body FROM dead_letter WHERE body LIKE '%out_dead%'",
    ).first();
    expect(row).toEqual({ queue: 'tessera-publish-dead', body: JSON.stringify(body) });
  });
});
