// Holds in a ledger that has had many: what reads them does not read those that are over.
import { runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { HOLD } from '#engine/ledger/holds';
import { TestEnvironment, update } from './ledger-calls';

const OVER = 20_000;

it('reads what is open, whatever is over', async () => {
  const home = new TestEnvironment('weur');
  const hold = { kind: 'open', id: 'one', lastsMs: 60_000, orLess: false } as const;
  await home.update('weur', update({ by: 2, hold }));
  await runInDurableObject(await home.ledger('weur'), (object, { storage: { sql } }) => {
    const [open] = object.store.openRegisters(Number.MAX_SAFE_INTEGER);
    const { customer, name } = open!;
    sql.exec(
      `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${OVER})
       INSERT INTO register SELECT customer, kind, 'over_' || n, origin, stamp, 0, until + n, body, version, NULL
       FROM register, number`,
    );
    const exec = sql.exec.bind(sql) as SqlStorage['exec'];
    const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
    sql.exec = ((...args: Parameters<typeof exec>) => {
      const cursor = exec(...args);
      cursors.push(cursor);
      return cursor;
    }) as typeof exec;
    const read = (work: () => unknown) => {
      cursors.length = 0;
      work();
      return cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
    };
    const { store } = object;
    for (const [what, work] of Object.entries({
      'those to end': () => store.openRegisters(Number.MAX_SAFE_INTEGER),
      'one of a customer': () => store.findRegisters(customer, { kind: HOLD, name }),
      'whose it is': () => store.ownerOfHold(name),
      'a customer': () => store.loadCustomer(customer),
      'the oldest': () => store.oldestSettling(),
      'the last change': () => store.lastChange(),
      changes: () => store.changesAfter(0, 10),
      'none to delete': () => store.deleteRegisters(0, Number.MAX_SAFE_INTEGER, 500),
    }))
      expect(read(work), what).toBeLessThan(40);
    expect(read(() => store.deleteRegisters(Number.MAX_SAFE_INTEGER, 1e9, 500))).toBeLessThan(8 * 500);
  });
});
