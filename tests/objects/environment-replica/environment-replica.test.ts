import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import { replicaStub } from '#objects/stubs';
import { evict } from '#tests/support/evict';
import { someEnvironmentId, someSnapshot } from '#tests/support/snapshots';

async function someReplica() {
  const environmentId = someEnvironmentId();
  const replica = await replicaStub(env, environmentId, 'weur');
  return { environmentId, replica };
}

function withArtifact(snapshot: EnvironmentSnapshot, hash: string, content: string): EnvironmentSnapshot {
  return { ...snapshot, artifact: { id: `art_${hash}`, number: 1, hash, content } };
}

describe('a replica', () => {
  it('returns the published snapshot to callers with an older generation, and unchanged otherwise', async () => {
    const { environmentId, replica } = await someReplica();
    const snapshot = someSnapshot({ environmentId, generation: 4 });
    expect(await replica.publish(snapshot)).toBe(4);
    expect(await replica.pull(-1)).toEqual({ kind: 'snapshot', snapshot });
    expect(await replica.pull(3)).toEqual({ kind: 'snapshot', snapshot });
    expect(await replica.pull(4)).toEqual({ kind: 'unchanged' });
  });

  it('stores a snapshot only if it is newer: duplicates and late ones change nothing', async () => {
    const { environmentId, replica } = await someReplica();
    const newer = someSnapshot({ environmentId, generation: 7, block: { reason: 'newer' } });
    const older = someSnapshot({ environmentId, generation: 6, block: { reason: 'older' } });
    const impostor = someSnapshot({
      environmentId,
      generation: 7,
      block: { reason: 'same generation again' },
    });
    expect(await replica.publish(newer)).toBe(7);
    expect(await replica.publish(older)).toBe(7);
    expect(await replica.publish(impostor)).toBe(7);
    expect(await replica.pull(-1)).toEqual({ kind: 'snapshot', snapshot: newer });
  });

  it('keeps the snapshot across an eviction', async () => {
    const { environmentId, replica } = await someReplica();
    const snapshot = withArtifact(
      someSnapshot({ environmentId, generation: 2 }),
      'a1',
      '{"formatVersion":1}',
    );
    await replica.publish(snapshot);
    await evict(replica);
    expect(await replica.pull(-1)).toEqual({ kind: 'snapshot', snapshot });
  });

  it('stores artifacts larger than a row, split between whole characters', async () => {
    const { environmentId, replica } = await someReplica();
    const content = `${'x'.repeat(499_999)}${'🜁'.repeat(900_000)}`;
    const snapshot = withArtifact(someSnapshot({ environmentId }), 'large', content);
    await replica.publish(snapshot);
    await evict(replica);
    const answer = await replica.pull(-1);
    expect(answer.kind).toBe('snapshot');
    expect(answer.kind === 'snapshot' && answer.snapshot.artifact?.content === content).toBe(true);
  });

  it("keeps the artifact's workflow code beside it, in pieces too, and what another artifact shares", async () => {
    const { environmentId, replica } = await someReplica();
    const text = `${'x'.repeat(499_999)}${'🜁'.repeat(900_000)}`;
    for (const [index, hash] of ['first', 'second'].entries()) {
      const plain = withArtifact(someSnapshot({ environmentId, generation: index + 1 }), hash, '{}');
      const { artifact } = plain;
      if (artifact === null) throw new Error('It has an artifact');
      const snapshot = { ...plain, artifact: { ...artifact, workflowCode: { hash: 'code', text } } };
      await replica.publish(snapshot);
      await evict(replica);
      const answer = await replica.pull(-1);
      expect(answer.kind === 'snapshot' && answer.snapshot.artifact?.workflowCode?.text === text).toBe(true);
    }
    const hashes = await runInDurableObject(replica, (_object, state) =>
      state.storage.sql.exec('SELECT DISTINCT hash FROM artifact_piece ORDER BY hash').toArray(),
    );
    expect(hashes).toEqual([{ hash: 'code' }, { hash: 'second' }]);
  });

  it('deletes the pieces of a replaced artifact', async () => {
    const { environmentId, replica } = await someReplica();
    await replica.publish(withArtifact(someSnapshot({ environmentId, generation: 1 }), 'first', '1'));
    await replica.publish(withArtifact(someSnapshot({ environmentId, generation: 2 }), 'second', '2'));
    const hashes = await runInDurableObject(replica, (_object, state) =>
      state.storage.sql.exec<{ hash: string }>('SELECT DISTINCT hash FROM artifact_piece').toArray(),
    );
    expect(hashes).toEqual([{ hash: 'second' }]);
  });

  it('redirects to other locations once its location is disabled, and keeps no copy', async () => {
    const { environmentId, replica } = await someReplica();
    await replica.publish(withArtifact(someSnapshot({ environmentId, generation: 3 }), 'a1', '{}'));
    expect(await replica.retire(5, ['enam', 'apac'])).toBe(5);
    expect(await replica.publish(someSnapshot({ environmentId, generation: 4 }))).toBe(5);
    await evict(replica);
    expect(await replica.pull(3)).toEqual({ kind: 'moved', locations: ['enam', 'apac'] });
    const pieces = await runInDurableObject(replica, (_object, state) =>
      state.storage.sql.exec('SELECT * FROM artifact_piece').toArray(),
    );
    expect(pieces).toEqual([]);
  });

  it('serves again when its location is re-enabled', async () => {
    const { environmentId, replica } = await someReplica();
    await replica.retire(5, ['enam']);
    const snapshot = someSnapshot({ environmentId, generation: 6 });
    await replica.publish(snapshot);
    expect(await replica.pull(5)).toEqual({ kind: 'snapshot', snapshot });
  });

  it('stores nothing if it was only pulled from', async () => {
    const { replica } = await someReplica();
    expect(await replica.pull(-1)).toEqual({ kind: 'absent' });
    const tables = await runInDurableObject(replica, (_object, state) =>
      state.storage.sql
        .exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'")
        .toArray(),
    );
    expect(tables).toEqual([]);
  });
});
