import { describe, expect, it } from 'vitest';
import { SharedRounds } from '#engine/shared-rounds';
import { GroupCommit } from '#objects/lib/group-commit';
import { SharedTurns } from '#objects/lib/shared-turns';

/** Runs everything that is ready, without a timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

function recorder() {
  const groups: string[][] = [];
  const waits: { readonly ms: number; readonly end: () => void }[] = [];
  return {
    groups,
    waits,
    effects: {
      write: (items: readonly string[]) => {
        if (items.includes('bad')) throw new Error('bad item');
        groups.push([...items]);
        return items.map((item) => item.toUpperCase());
      },
      wait: (ms: number) => new Promise<void>((end) => waits.push({ ms, end })),
    },
  };
}

describe('rounds that begin at most once per interval', () => {
  const roundsOf = ({ effects }: ReturnType<typeof recorder>, now: () => number) => {
    const turns = new SharedTurns(25, { wait: effects.wait, now });
    return new SharedRounds<string, string>(
      async (items) => effects.write(items),
      () => turns.next(),
    );
  };

  it('write the first item immediately and the items of one interval together', async () => {
    let now = 1_000;
    const recorded = recorder();
    const { groups, waits } = recorded;
    const rounds = roundsOf(recorded, () => now);
    expect(await rounds.run('a')).toBe('A');
    now += 10;
    const results = Promise.all([rounds.run('b'), rounds.run('c')]);
    await settle();
    expect(waits.map(({ ms }) => ms)).toEqual([15]);
    now += 15;
    waits[0]?.end();
    expect(await results).toEqual(['B', 'C']);
    expect(groups).toEqual([['a'], ['b', 'c']]);
    now += 25;
    expect(await rounds.run('d')).toBe('D');
    expect(waits).toHaveLength(1);
  });

  it('wait no longer than an interval when the clock was set back', async () => {
    let now = 1_000_000;
    const recorded = recorder();
    const rounds = roundsOf(recorded, () => now);
    expect(await rounds.run('a')).toBe('A');
    now = 0;
    const next = rounds.run('b');
    await settle();
    expect(recorded.waits.map(({ ms }) => ms)).toEqual([25]);
    recorded.waits[0]?.end();
    expect(await next).toBe('B');
  });

  it('reject only the item that cannot be written', async () => {
    const recorded = recorder();
    const { groups, waits } = recorded;
    const rounds = roundsOf(recorded, () => 0);
    await rounds.run('a');
    const results = Promise.allSettled(['b', 'bad', 'c'].map((item) => rounds.run(item)));
    await settle();
    waits[0]?.end();
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(groups).toEqual([['a'], ['b'], ['c']]);
  });
});

describe('one commit at a time', () => {
  it('writes what arrives during a commit in one group after it, and gathers under load', async () => {
    const { groups, waits, effects } = recorder();
    const synced: (() => void)[] = [];
    const durable = () => new Promise<void>((resolve) => synced.push(resolve));
    const commits = new GroupCommit<string, string>({ ...effects, durable });
    expect(await commits.commit('a')).toBe('A');
    const results = Promise.all([commits.commit('b'), commits.commit('c')]);
    await settle();
    expect(groups).toEqual([['a']]);
    synced[0]?.();
    await settle();
    expect(waits.map(({ ms }) => ms)).toEqual([1]);
    waits[0]?.end();
    expect(await results).toEqual(['B', 'C']);
    expect(groups).toEqual([['a'], ['b', 'c']]);
  });

  it('returns a lone result at once, and throws its error', () => {
    const { effects } = recorder();
    const durable = () => new Promise<void>(() => {});
    const commits = () => new GroupCommit<string, string>({ ...effects, durable });
    expect(commits().commit('a')).toBe('A');
    expect(() => commits().commit('bad')).toThrow('bad item');
  });

  it('rarely waits between items that arrive one after the other, and gathers again when others arrive', async () => {
    const { groups, waits, effects } = recorder();
    const synced: (() => void)[] = [];
    const durable = () => new Promise<void>((resolve) => synced.push(resolve));
    const commits = new GroupCommit<string, string>({ ...effects, durable });
    for (let item = 0; item < 100; item += 1) {
      expect(commits.commit(`item ${item}`)).toBe(`ITEM ${item}`);
      synced.at(-1)?.();
      await settle();
    }
    expect(synced).toHaveLength(12);
    expect(groups).toHaveLength(100);

    // The first ones are written alone, until one waits and finds that others have arrived.
    const results = Array.from({ length: 60 }, (_, index) => commits.commit(`burst ${index}`));
    const alone = groups.length - 100;
    expect(alone).toBeLessThanOrEqual(9);
    for (let turn = 0; turn < 2; turn += 1) {
      synced.at(-1)?.();
      await settle();
      waits.at(-1)?.end();
      await settle();
    }
    expect(await Promise.all(results)).toEqual(results.map((_, index) => `BURST ${index}`));
    expect(groups).toHaveLength(100 + alone + 1);
    expect(commits.commit('afterwards')).toBeInstanceOf(Promise);
  });

  it('repeats a group that fails item by item: one item fails no other, and the next group is written', async () => {
    const { groups, waits, effects } = recorder();
    const commits = new GroupCommit<string, string>({ ...effects, durable: () => Promise.resolve() });
    const first = commits.commit('a');
    const results = Promise.allSettled(['b', 'bad', 'c'].map((item) => commits.commit(item)));
    await first;
    await settle();
    waits[0]?.end();
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await settle();
    expect(await commits.commit('d')).toBe('D');
    expect(groups).toEqual([['a'], ['b'], ['c'], ['d']]);
  });

  it('writes items in the order in which they arrived', async () => {
    const { groups, waits, effects } = recorder();
    const synced: (() => void)[] = [];
    const durable = () => new Promise<void>((resolve) => synced.push(resolve));
    const commits = new GroupCommit<string, string>({ ...effects, durable });
    const results: unknown[] = [];
    for (let item = 0; item < 30; item += 1) {
      results.push(commits.commit(`${item}`));
      if (item % 3 === 0) synced.at(-1)?.();
      await settle();
      for (const { end } of waits.splice(0)) end();
    }
    for (let turn = 0; turn < 5; turn += 1) {
      synced.at(-1)?.();
      await settle();
      for (const { end } of waits.splice(0)) end();
    }
    await Promise.all(results);
    expect(groups.flat()).toEqual(Array.from({ length: 30 }, (_, item) => `${item}`));
  });
});
