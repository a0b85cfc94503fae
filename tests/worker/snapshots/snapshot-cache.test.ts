import { describe, expect, it } from 'vitest';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import { isStale } from '#engine/access/access-environment';
import { NOWHERE } from '#engine/access/place';
import { DAY_MS } from '#engine/durations';
import { NO_FACTS } from '#engine/entitlements/no-facts';
import { someSnapshot } from '#tests/support/snapshots';
import {
  AWAIT_AFTER_MS,
  LOOKUP_BURST,
  LOOKUPS_PER_SECOND,
  REVALIDATE_AFTER_MS,
  SnapshotCache,
  type SnapshotSource,
} from '#worker/domains/snapshots/snapshot-cache';

interface Timer {
  readonly at: number;
  readonly wake: () => void;
}

/** A fake replica with scripted answers and its own clock. */
function someWorld(first: EnvironmentSnapshot | null) {
  const world = {
    now: 1_000_000,
    published: first,
    pulls: 0,
    isDown: false,
    /** No replica has a copy: the source returns the snapshot again instead of 'unchanged'. */
    isFallback: false,
    /** The replicas cannot ask the home replica. */
    isUnconfirmed: false,
    hangs: false,
    /** How long an answer takes. Without, nothing takes time. */
    pullMs: 0,
    timers: [] as Timer[],
    background: [] as Promise<unknown>[],
  };
  /** Known generations of the pulls. */
  const asked: (number | null)[] = [];
  const pass = (ms: number) =>
    new Promise<void>((wake) => void world.timers.push({ at: world.now + ms, wake }));
  const source: SnapshotSource = {
    async pull(_environmentId, known) {
      world.pulls += 1;
      asked.push(known?.generation ?? null);
      if (world.hangs) return new Promise(() => undefined);
      if (world.pullMs > 0) await pass(world.pullMs);
      if (world.isDown) throw new Error('no replica answers');
      const { published, isUnconfirmed } = world;
      const isKnown = known !== null && published !== null && known.generation >= published.generation;
      return { newest: isKnown && !world.isFallback ? 'unchanged' : published, isUnconfirmed };
    },
    now: () => world.now,
    wait: async (ms) => (world.pullMs > 0 ? pass(ms) : scheduler.wait(0)),
  };
  const cache = new SnapshotCache(source);
  const environmentId = first?.environmentId ?? 'env_unknown';
  const get = () => cache.get(environmentId, NOWHERE, (work) => world.background.push(work));
  const getNewer = () => cache.getNewer(environmentId, NOWHERE, (work) => world.background.push(work));
  const generation = async () => (await get())?.snapshot.generation;
  const settle = async () => {
    await Promise.all(world.background.splice(0));
  };
  return { world, asked, cache, get, getNewer, generation, settle, environmentId };
}

/** All outcomes, while the world's clock goes on to the next timer whenever everything waits. */
async function outcomesOf<T>(world: { now: number; timers: Timer[] }, calls: readonly Promise<T>[]) {
  let isOver = false;
  const outcomes = Promise.allSettled(calls).finally(() => {
    isOver = true;
  });
  for (;;) {
    await scheduler.wait(0);
    if (isOver) return outcomes;
    if (world.timers.length > 0) world.now = Math.min(...world.timers.map(({ at }) => at));
    const due = world.timers.filter(({ at }) => at <= world.now);
    world.timers = world.timers.filter(({ at }) => at > world.now);
    for (const { wake } of due) wake();
  }
}

function publish(
  world: { published: EnvironmentSnapshot | null },
  changes: Partial<EnvironmentSnapshot> = {},
) {
  if (world.published === null) throw new Error('nothing to follow');
  world.published = { ...world.published, generation: world.published.generation + 1, ...changes };
}

describe('what an isolate remembers of an environment', () => {
  it('is used without asking while it is younger than two seconds', async () => {
    const { world, generation, cache, environmentId } = someWorld(someSnapshot());
    expect(await generation()).toBe(1);
    publish(world);
    world.now += REVALIDATE_AFTER_MS - 1;
    expect(await generation()).toBe(1);
    expect(cache.fresh(environmentId, world.now)?.snapshot.generation).toBe(1);
    expect(world.pulls).toBe(1);
  });

  it('is used and revalidated behind the answer, once, when it is a little older', async () => {
    const { world, generation, settle } = someWorld(someSnapshot());
    await generation();
    publish(world);
    world.now += REVALIDATE_AFTER_MS;
    expect(await Promise.all([generation(), generation(), generation()])).toEqual([1, 1, 1]);
    expect(world.pulls).toBe(2);
    await settle();
    expect(await generation()).toBe(2);
  });

  it('is asked for first when it is older than that, so that no answer is from before a change of five seconds ago', async () => {
    const { world, generation } = someWorld(someSnapshot());
    await generation();
    publish(world);
    world.now += AWAIT_AFTER_MS;
    expect(await generation()).toBe(2);
    world.now += 3_600_000;
    publish(world);
    expect(await Promise.all([generation(), generation()])).toEqual([3, 3]);
  });

  it('serves on for a day while no replica answers, and is asked for at most once a second meanwhile', async () => {
    const { world, generation, get } = someWorld(someSnapshot());
    await generation();
    world.isDown = true;
    world.now += DAY_MS - 60_000;
    expect(await generation()).toBe(1);
    const pulls = world.pulls;
    expect(await generation()).toBe(1);
    expect(world.pulls).toBe(pulls);
    world.now += 60_001;
    await expect(get()).rejects.toThrow('too old');
    world.isDown = false;
    world.now += 1_000;
    expect(await generation()).toBe(1);
  });

  it('counts as unknown after a day, so that D1 may say what it is', async () => {
    const { world, get, asked } = someWorld(someSnapshot());
    await get();
    world.now += DAY_MS;
    await get();
    world.now += DAY_MS + 1;
    await get();
    expect(asked).toEqual([null, 1, null]);
  });

  it('is stale if it was not confirmed for half a minute, or by a replica that could not ask the home replica', async () => {
    const { world, get } = someWorld(someSnapshot());
    const first = await get();
    expect(first && [isStale(first, world.now + 30_000), isStale(first, world.now + 30_001)]).toEqual([
      false,
      true,
    ]);
    world.isUnconfirmed = true;
    world.now += AWAIT_AFTER_MS;
    const later = await get();
    expect(later && isStale(later, world.now)).toBe(true);
    world.isUnconfirmed = false;
    world.now += AWAIT_AFTER_MS;
    const confirmed = await get();
    expect(confirmed && isStale(confirmed, world.now)).toBe(false);
  });

  it('does not keep a caller waiting for a replica that never answers', async () => {
    const { world, generation } = someWorld(someSnapshot());
    await generation();
    world.hangs = true;
    world.now += 10_000;
    expect(await generation()).toBe(1);
  });

  it.each([
    ['waits for it', AWAIT_AFTER_MS],
    ['does not wait for it', REVALIDATE_AFTER_MS],
  ])('is not asked for again within a second of silence, if the call %s', async (_call, age) => {
    const { world, generation } = someWorld(someSnapshot());
    await generation();
    world.pullMs = 100;
    world.hangs = true;
    world.now += age;
    const silence = new Promise<void>((wake) => world.timers.push({ at: world.now + 1_000, wake }));
    await outcomesOf<unknown>(world, [generation(), silence]);
    const { pulls } = world;
    const startedAt = world.now;
    for (let calls = 0; calls < 5; calls++) await outcomesOf(world, [generation()]);
    expect(world.pulls).toBe(pulls);
    expect(world.now).toBe(startedAt);
    world.now += 1_000;
    world.hangs = false;
    publish(world);
    await outcomesOf(world, [generation()]);
    expect(await generation()).toBe(2);
  });

  it('is never replaced by something older', async () => {
    const { world, generation, settle } = someWorld(someSnapshot({ generation: 5 }));
    await generation();
    world.published = someSnapshot({ generation: 4, environmentId: world.published?.environmentId });
    world.now += AWAIT_AFTER_MS;
    expect(await generation()).toBe(5);
    await settle();
    expect(await generation()).toBe(5);
  });

  it('is fetched again, at most once a second, for a key that it does not have yet', async () => {
    const { world, getNewer, generation } = someWorld(someSnapshot());
    await generation();
    world.pullMs = 1;
    const startedAt = world.now;
    publish(world);
    await outcomesOf(world, Array.from({ length: 20 }, getNewer));
    expect(world.pulls).toBe(2);
    await outcomesOf(world, Array.from({ length: 20 }, getNewer));
    expect(world.pulls).toBe(3);
    expect(world.now - startedAt).toBeGreaterThan(1_000);
  });

  it('is as new as the call, though another was just fetched for a key that does not exist', async () => {
    const { world, getNewer, generation } = someWorld(someSnapshot());
    await generation();
    world.pullMs = 1;
    await outcomesOf(world, [getNewer()]);
    publish(world);
    const calls = await outcomesOf(world, [getNewer(), getNewer()]);
    for (const each of calls) expect(each).toMatchObject({ value: { snapshot: { generation: 2 } } });
  });

  it('is as new as the call, though what is being fetched for another call is older', async () => {
    const { world, getNewer, generation } = someWorld(someSnapshot());
    await generation();
    world.pullMs = 100;
    const first = getNewer();
    world.now += 50;
    const second = getNewer();
    const [earlier] = await outcomesOf(world, [first]);
    expect(earlier).toMatchObject({ value: { snapshot: { generation: 1 } } });
    publish(world);
    const [later] = await outcomesOf(world, [second]);
    expect(later).toMatchObject({ value: { snapshot: { generation: 2 } } });
  });

  it('is not waited for any longer once it has the key', async () => {
    const { world, cache, getNewer, generation, environmentId } = someWorld(someSnapshot());
    await generation();
    world.pullMs = 100;
    publish(world);
    const first = getNewer();
    world.now += 50;
    const startedAt = world.now;
    const second = cache.getNewer(
      environmentId,
      NOWHERE,
      () => undefined,
      ({ snapshot }) => snapshot.generation === 2,
    );
    await outcomesOf(world, [first, second]);
    expect(world.now - startedAt).toBeLessThan(1_000);
    expect(world.pulls).toBe(2);
  });

  it('is fetched once for a burst of calls with a new key, and all of them see what was fetched', async () => {
    const { world, getNewer, generation } = someWorld(someSnapshot());
    await generation();
    world.pullMs = 100;
    publish(world);
    const calls = await outcomesOf(world, Array.from({ length: 20 }, getNewer));
    for (const each of calls) expect(each).toMatchObject({ value: { snapshot: { generation: 2 } } });
    expect(world.pulls).toBe(2);
  });

  it('is not waited for longer than a second, if the call that fetches it gets no answer', async () => {
    const { world, getNewer, generation } = someWorld(someSnapshot());
    await generation();
    world.pullMs = 100;
    world.hangs = true;
    const startedAt = world.now;
    const calls = await outcomesOf(world, [getNewer(), getNewer()]);
    for (const each of calls) expect(each).toMatchObject({ value: { snapshot: { generation: 1 } } });
    expect(world.now - startedAt).toBe(1_000);
  });

  it('believes for half a minute that an environment does not exist', async () => {
    const { world, get } = someWorld(null);
    expect(await get()).toBeNull();
    expect(await get()).toBeNull();
    expect(world.pulls).toBe(1);
    world.now += 30_000;
    expect(await get()).toBeNull();
    expect(world.pulls).toBe(2);
  });

  it('is confirmed by a snapshot of the same generation', async () => {
    const { world, generation, cache, environmentId } = someWorld(someSnapshot());
    await generation();
    world.isFallback = true;
    world.now += AWAIT_AFTER_MS;
    expect(await generation()).toBe(1);
    const { pulls } = world;
    expect(await generation()).toBe(1);
    expect(cache.fresh(environmentId, world.now)?.snapshot.generation).toBe(1);
    expect(world.pulls).toBe(pulls);
  });

  it('limits lookups of environments that do not exist, but not of those that do', async () => {
    const { world, cache } = someWorld(null);
    const lookUp = (id: string) => cache.get(id, NOWHERE, () => undefined);
    for (let count = 0; count < LOOKUP_BURST; count++) expect(await lookUp(`env_${count}`)).toBeNull();
    await expect(lookUp('env_more')).rejects.toThrow('Too many unknown environments');
    expect(world.pulls).toBe(LOOKUP_BURST);
    expect(await lookUp('env_0')).toBeNull();
    world.now += 1_000;
    const existing = someSnapshot();
    world.published = existing;
    for (let count = 0; count < LOOKUP_BURST; count++) {
      expect(await lookUp(`env_existing_${count}`)).not.toBeNull();
    }
    world.published = null;
    for (let count = 0; count < LOOKUPS_PER_SECOND; count++) expect(await lookUp(`env_n${count}`)).toBeNull();
    await expect(lookUp('env_last')).rejects.toThrow('Too many unknown environments');
  });

  it('is looked up once for a burst of first calls, and a burst of many environments is answered', async () => {
    const { world, cache, generation } = someWorld(someSnapshot());
    world.pullMs = 100;
    const same = await outcomesOf(world, Array.from({ length: 200 }, generation));
    expect(new Set(same.map((each) => (each.status === 'fulfilled' ? each.value : each.reason)))).toEqual(
      new Set([1]),
    );
    expect(world.pulls).toBe(1);
    const many = Array.from({ length: 6 * LOOKUP_BURST }, (_, index) =>
      cache.get(`env_${index}`, NOWHERE, () => undefined),
    );
    for (const each of await outcomesOf(world, many)) expect(each).toMatchObject({ status: 'fulfilled' });
    expect(world.pulls).toBe(1 + many.length);
  });

  it('is looked up by another call if the first one was cancelled', async () => {
    const { world, get, generation } = someWorld(someSnapshot());
    world.pullMs = 100;
    world.hangs = true;
    void get();
    world.hangs = false;
    const [other] = await outcomesOf(world, [generation()]);
    expect(other).toMatchObject({ value: 1 });
    expect(world.pulls).toBe(2);
  });

  it('does not count as unknown while no replica answers', async () => {
    const { world, get, generation } = someWorld(someSnapshot());
    world.pullMs = 100;
    world.isDown = true;
    const calls = await outcomesOf(world, Array.from({ length: 4 * LOOKUP_BURST }, get));
    expect(calls.filter((each) => each.status === 'fulfilled')).toEqual([]);
    expect(calls).not.toContainEqual(
      expect.objectContaining({ reason: expect.objectContaining({ name: 'LookupLimitError' }) }),
    );
    world.isDown = false;
    expect((await outcomesOf(world, [generation()]))[0]).toMatchObject({ value: 1 });
  });

  it('is evicted when others need the memory, unless it was used recently', async () => {
    const { world, cache } = someWorld(someSnapshot());
    const large = { id: 'plan_1', slug: 'large', name: 'x'.repeat(1_000_000), values: [], products: [] };
    const content = JSON.stringify({ formatVersion: 1, features: [], plans: [large], workflows: [] });
    const lookUp = async (id: string) => {
      world.published = someSnapshot({ artifact: { id: 'art_1', number: 1, hash: id, content } });
      return cache.get(id, NOWHERE, () => undefined);
    };
    await lookUp('env_used');
    await lookUp('env_unused');
    for (let count = 0; count < 40; count++) {
      await lookUp(`env_${count}`);
      expect(cache.fresh('env_used', world.now)).toBeDefined();
    }
    expect(cache.fresh('env_unused', world.now)).toBeUndefined();
  });

  it('is evicted when the values of its customers need the memory', async () => {
    const { world, cache } = someWorld(someSnapshot());
    const prepared = { features: [], properties: [], isLatin: true };
    const choices = new Array(250_000);
    const resolution = { prepared, overrides: new Map(), quantities: null, choices, plansText: '' };
    const ofItsOwn = { resolution, planSet: { key: '' }, refused: [] } as never;
    for (let count = 0; count < 12; count++) {
      const get = () => cache.get(`env_${count}`, NOWHERE, () => undefined);
      const loaded = await get();
      for (let customer = 0; customer < 5; customer++) loaded?.appliedFacts.set({ ...NO_FACTS }, ofItsOwn);
      world.now += AWAIT_AFTER_MS;
      expect(await get()).toBe(loaded);
    }
    expect([cache.has('env_0'), cache.has('env_11')]).toEqual([false, true]);
  });

  it('fails when nothing is remembered and no replica answers', async () => {
    const { world, get } = someWorld(someSnapshot());
    world.isDown = true;
    await expect(get()).rejects.toThrow('no replica answers');
  });

  it('that is deleted is asked about as little as one that does not exist', async () => {
    const { world, get } = someWorld(someSnapshot({ isDeleted: true }));
    expect([await get(), await get()]).toEqual([null, null]);
    expect(world.pulls).toBe(1);
  });

  const artifact = {
    id: 'art_1',
    number: 1,
    hash: 'h1',
    content: '{"formatVersion":1,"features":[],"plans":[],"workflows":[]}',
  };

  it('takes over what was prepared of an artifact that did not change', async () => {
    const { world, get } = someWorld(someSnapshot({ artifact }));
    const before = (await get())?.prepared;
    publish(world, {
      keys: [{ id: 'key_1', type: 'public', hash: 'k1' }],
      artifact: { ...artifact, content: '' },
    });
    world.now += AWAIT_AFTER_MS;
    const after = await get();
    const defaults = { rateLimit: 600, allowanceShare: 80, managesCustomers: false };
    expect(after?.keyByHash.get('k1')).toEqual({ id: 'key_1', type: 'public', ...defaults });
    expect(after?.prepared).toBe(before);
  });

  it('does so from what was asked with, if an answer without texts comes after a change and its rollback', async () => {
    const answers: ((newest: EnvironmentSnapshot) => void)[] = [];
    let now = 1_000_000;
    const cache = new SnapshotCache({
      pull: () =>
        new Promise((resolve) => answers.push((newest) => resolve({ newest, isUnconfirmed: false }))),
      now: () => now,
      wait: () => new Promise(() => undefined),
    });
    const first = someSnapshot({ artifact });
    const get = () => cache.get(first.environmentId, NOWHERE, () => undefined);
    const loading = get();
    answers[0]?.(first);
    const before = await loading;
    now += REVALIDATE_AFTER_MS;
    await get();
    const newer = cache.getNewer(first.environmentId, NOWHERE, () => undefined);
    answers[2]?.({ ...first, generation: 2, artifact: { ...artifact, hash: 'h2' } });
    expect((await newer)?.snapshot.artifact?.hash).toBe('h2');
    answers[1]?.({ ...first, generation: 3, artifact: { ...artifact, content: '' } });
    await expect.poll(async () => (await get())?.snapshot.generation).toBe(3);
    expect((await get())?.prepared).toBe(before?.prepared);
  });
});
