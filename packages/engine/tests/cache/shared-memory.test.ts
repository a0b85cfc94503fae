import { expect, test } from 'vitest';
import { type Holder, SharedMemory } from '#engine/cache/shared-memory';

test('one holder has all the memory, several have what the others leave, and never less than their share', () => {
  const memory = new SharedMemory(100);
  const holders = [0, 0, 0, 0].map((weight) => ({ weight }));
  const [first, second] = holders as [Holder & { weight: number }, Holder & { weight: number }];
  memory.join(first);
  first.weight = 90;
  expect(memory.roomFor(first)).toBe(100);
  for (const each of holders.slice(1)) memory.join(each);
  second.weight = 40;
  expect(memory.roomFor(second)).toBe(25);
  first.weight = 30;
  expect(memory.roomFor(second)).toBe(70);
});
