// A customer's ledger of a meter: what was given and used, newest first.
import { describe, expect, it } from 'vitest';
import type { LedgerAnswer } from '#contracts/public/customer-ledger';
import { type Client, newUser } from './client.ts';

const LEDGER = '/{customer}/ledger';
const EXPORTS = { feature: 'data-exports', property: 'exports' };

export function describeLedger(client: () => Client): void {
  describe('a ledger', () => {
    const read = (customer: string, query = '?feature=data-exports&property=exports') =>
      client().customers<LedgerAnswer>('GET', `/${customer}/ledger`, LEDGER, undefined, { query });

    it('lists what was given and used, newest first, and refuses a cursor that is none', async () => {
      const customer = `customer-${crypto.randomUUID()}`;
      await client().customers('PUT', `/${customer}`, '/{customer}', { email: newUser() });
      const given = { ...EXPORTS, amount: 50, category: 'paid', reason: 'Invoice 2026-118' };
      await client().customers('PUT', `/${customer}/balances/inv-1`, '/{customer}/balances/{balance}', given);
      await client().update({ ...EXPORTS, userIdentifier: customer, by: 3 });
      const lines = async () =>
        (await read(customer)).body.lines.map(({ kind, amount, balance }) => ({ kind, amount, balance }));
      await expect.poll(lines, { timeout: 10_000 }).toEqual([
        { kind: 'used', amount: 3, balance: undefined },
        { kind: 'given', amount: 50, balance: 'inv-1' },
      ]);
      const refused = await read(customer, '?feature=data-exports&property=exports&cursor=x');
      expect(refused).toMatchObject({ status: 400, body: { issues: [{ path: 'cursor' }] } });
    });
  });
}
