import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shardOf } from '#engine/ledger/shard-of';

it('an entity is in the object of its customer', () => {
  const identifier = fc.string({ minLength: 1 }).filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(identifier, fc.string(), fc.constantFrom(1, 16, 1024), (customer, entity, shards) => {
      expect(shardOf(`${customer}\0${entity}`, shards)).toBe(shardOf(customer, shards));
    }),
  );
});

it.each([
  ['ada@example.com', 16, 13],
  ['cus_1', 1024, 877],
])('%s stays in its object: of %i shards, number %i', (customer, shards, shard) => {
  expect(shardOf(customer, shards)).toBe(shard);
});
