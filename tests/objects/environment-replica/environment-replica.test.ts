import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { Location } from '#contracts/public/locations';
import type { EnvironmentReplica } from '#objects/environment-replica/environment-replica-object';
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

  it('leaves out the texts that the caller has, and no others', async () => {
    const { environmentId, replica } = await someReplica();
    const snapshot = withArtifact(someSnapshot({ environmentId }), 'a1', '{}');
    await replica.publish(snapshot);
    const withoutText = withArtifact(snapshot, 'a1', '');
    expect(await replica.pull(0, undefined, ['a1'])).toEqual({ kind: 'snapshot', snapshot: withoutText });
    expect(await replica.pull(0, undefined, ['a0'])).toEqual({ kind: 'snapshot', snapshot });
  });

  it('completes a change by the texts that it has, and stores nothing if it lacks one', async () => {
    const { environmentId, replica } = await someReplica();
    const first = withArtifact(someSnapshot({ environmentId }), 'a1', '{}');
    const change = withArtifact(someSnapshot({ environmentId, generation: 2 }), 'a1', '');
    expect(await replica.publishChange(change)).toBeNull();
    await replica.publish(first);
    expect(await replica.publishChange(withArtifact(change, 'a2', ''))).toBeNull();
    await evict(replica);
    expect(await replica.publishChange(change)).toBe(2);
    await evict(replica);
    expect(await replica.pull(-1)).toEqual({ kind: 'snapshot', snapshot: withArtifact(change, 'a1', '{}') });
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

describe('a replica that publishing missed', () => {
  /** The home replica of Western Europe has generation 2, and the one of Oceania generation 1. */
  async function outdated() {
    const environmentId = someEnvironmentId();
    const first = withArtifact(someSnapshot({ environmentId, locations: ['weur', 'oc'] }), 'a1', '{}');
    const [home, replica] = [
      await replicaStub(env, environmentId, 'weur'),
      await replicaStub(env, environmentId, 'oc'),
    ];
    const newer = { ...first, generation: 2 };
    await home.publish(newer);
    await replica.publish(first);
    const later = (ms: number, pull?: EnvironmentReplica['effects']['pull']) =>
      runInDurableObject(replica, (object) => {
        const { effects } = object;
        const now = effects.now() + ms;
        object.effects = { pull: pull ?? effects.pull, now: () => now };
      });
    return { home, replica, newer, later };
  }

  it('takes the snapshot over from the home replica, behind its answer', async () => {
    const { replica, newer, later } = await outdated();
    expect(await replica.pull(1, 'oc')).toEqual({ kind: 'unchanged' });
    await later(20_000);
    await replica.pull(1, 'oc');
    await expect.poll(() => replica.pull(1, 'oc')).toEqual({ kind: 'snapshot', snapshot: newer });
  });

  it('does so at its first call after it has slept', async () => {
    const { replica, newer } = await outdated();
    await evict(replica);
    await replica.pull(-1, 'oc');
    await expect.poll(() => replica.pull(1, 'oc')).toEqual({ kind: 'snapshot', snapshot: newer });
  });

  it('redirects from then on, if it missed that its location is disabled', async () => {
    const { home, replica, newer, later } = await outdated();
    await home.publish({ ...newer, generation: 3, locations: ['weur'] });
    await later(20_000);
    await replica.pull(1, 'oc');
    await expect.poll(() => replica.pull(1, 'oc')).toEqual({ kind: 'moved', locations: ['weur'] });
  });

  it('finds the home replica that it missed the move of', async () => {
    const { home, replica, newer, later } = await outdated();
    const moved: Location[] = ['apac', 'oc'];
    const newest = { ...newer, generation: 3, locations: moved };
    await (await replicaStub(env, newer.environmentId, 'apac')).publish(newest);
    await home.retire(3, moved);
    await later(20_000);
    await replica.pull(1, 'oc');
    await expect.poll(() => replica.pull(1, 'oc')).toEqual({ kind: 'snapshot', snapshot: newest });
  });

  it('answers while the home replica is silent or fails, and says so once a publication could be missed', async () => {
    const { replica, later } = await outdated();
    await later(20_000, () => new Promise(() => undefined));
    expect(await replica.pull(1, 'oc')).toEqual({ kind: 'unchanged' });
    await later(9_000, () => Promise.reject(new Error('unreachable')));
    expect(await replica.pull(1, 'oc')).toEqual({ kind: 'unchanged' });
    await later(2_000);
    expect(await replica.pull(1, 'oc')).toEqual({ kind: 'unchanged', isUnconfirmed: true });
    expect(await replica.pull(0, 'oc')).toMatchObject({ kind: 'snapshot', isUnconfirmed: true });
  });

  it('asks nobody if it is the home replica, and no more often than it must', async () => {
    const { home, replica, later } = await outdated();
    let asked = 0;
    const count = () => {
      asked += 1;
      return Promise.resolve({ kind: 'unchanged' as const });
    };
    await later(20_000, count);
    for (let call = 0; call < 3; call++) await replica.pull(1, 'oc');
    expect(asked).toBe(1);
    await runInDurableObject(home, (object) => {
      object.effects = { pull: count, now: () => Date.now() + 3_600_000 };
    });
    await home.pull(2, 'weur');
    expect(asked).toBe(1);
  });
});
