// Turns: one piece of work at a time, with a pause after each; shared turns: calls that arrive within a pause go on together.
import { expect, test } from 'vitest';
import { SharedTurns } from '#objects/lib/shared-turns';
import { Turns } from '#objects/lib/turns';

/** Runs everything that is ready, without a timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

/** Works and pauses that end when the test says so. */
function someTurns(maxQueued = 10) {
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const pauses: (() => void)[] = [];
  const turns = new Turns(maxQueued, () => new Promise<void>((end) => pauses.push(end)));
  const take = (name: string) =>
    turns.take(() => {
      started.push(name);
      return new Promise<string>((done, fail) =>
        ends.set(name, (error) => (error === undefined ? done(name) : fail(error))),
      );
    });
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error);
    await settle();
  };
  const endPause = async () => {
    pauses.shift()?.();
    await settle();
  };
  return { started, take, end, endPause };
}

test('work waits for the previous work and its pause, however long they take', async () => {
  const { started, take, end, endPause } = someTurns();
  const [first] = [take('one'), take('two'), take('three')];
  await settle();
  expect(started).toEqual(['one']);
  await end('one');
  expect(await first).toBe('one');
  expect(started).toEqual(['one']);
  await endPause();
  expect(started).toEqual(['one', 'two']);
  await end('two');
  await endPause();
  expect(started).toEqual(['one', 'two', 'three']);
});

test('work that fails ends its own turn only', async () => {
  const { started, take, end, endPause } = someTurns();
  const first = take('one');
  const second = take('two');
  await settle();
  const failed = expect(first).rejects.toThrow('malformed');
  await end('one', new Error('malformed'));
  await failed;
  await endPause();
  expect(started).toEqual(['one', 'two']);
  await end('two');
  expect(await second).toBe('two');
});

test('work beyond the limit is refused and never runs; an ended turn makes room', async () => {
  const { started, take, end, endPause } = someTurns(2);
  take('one');
  take('two');
  expect(take('three')).toBeNull();
  await settle();
  await end('one');
  await endPause();
  expect(take('four')).not.toBeNull();
  await end('two');
  await endPause();
  expect(started).toEqual(['one', 'two', 'four']);
});

test('a shared turn starts at once after a pause, and otherwise takes everyone who waits', async () => {
  let now = 1_000;
  const waits: { readonly ms: number; readonly end: () => void }[] = [];
  const turns = new SharedTurns(250, {
    wait: (ms) => new Promise<void>((end) => waits.push({ ms, end })),
    now: () => now,
  });
  const done: string[] = [];
  const take = (name: string) => void turns.next().then(() => done.push(name));
  take('first');
  await settle();
  expect([done, waits.length]).toEqual([['first'], 0]);
  now += 100;
  for (const name of ['second', 'third']) take(name);
  await settle();
  expect([done, waits.map(({ ms }) => ms)]).toEqual([['first'], [150]]);
  now += 150;
  waits[0]?.end();
  await settle();
  expect(done).toEqual(['first', 'second', 'third']);
  take('fourth');
  await settle();
  expect(waits.map(({ ms }) => ms)).toEqual([150, 250]);
  now += 5_000;
  waits[1]?.end();
  await settle();
  expect(done).toEqual(['first', 'second', 'third', 'fourth']);
  now += 250;
  take('fifth');
  await settle();
  expect(done).toHaveLength(5);
});
