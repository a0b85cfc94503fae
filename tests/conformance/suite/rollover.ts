// What is left of a limit when its period ends, and can be used after it.
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, newUser } from './client.ts';

/** 100 a calendar month, of which at most 30 roll over for a month. */
const CALLS = { feature: 'api-access', property: 'calls' };
const QUOTA = 100;
const DAY_MS = 86_400_000;

export function describeRollover(client: () => Client): void {
  const secret = () => ({ key: client().target.creditsKey });
  const count = async (userIdentifier: string, by: number) =>
    (await client().update({ userIdentifier, ...CALLS, by, enforce: true }, secret())).body;
  const callsOf = async (userIdentifier: string) => {
    const { body } = await client().check({ userIdentifier, include: ['balances'] }, secret());
    return body.features['api-access']?.properties.calls as { readonly resetsAt: number };
  };

  describe('what rolls over', () => {
    beforeEach(({ skip }) => {
      const { creditsKey, moveClock } = client().target;
      skip(creditsKey === null || moveClock === undefined, 'no workspace with credits, or no clock to move');
    });
    afterAll(() => client().target.moveClock?.(null));

    it('is what a period left, up to its maximum, for as long as it lasts and before the quota', async () => {
      const user = newUser();
      const toNextPeriod = async () => client().target.moveClock?.((await callsOf(user)).resetsAt + DAY_MS);
      expect(await count(user, 80)).toMatchObject({ accepted: true, meter: { limit: QUOTA, remaining: 20 } });
      await toNextPeriod();
      expect(await callsOf(user)).toMatchObject({ limit: QUOTA + 20, used: 0, remaining: QUOTA + 20 });
      expect(await count(user, 25)).toMatchObject({
        ...{ accepted: true, draws: [{ amount: 20 }] },
        meter: { limit: QUOTA + 20, used: 25, remaining: 95 },
      });
      expect(await callsOf(user)).toMatchObject({
        balances: [
          { kind: 'balance', source: 'rollover', amount: 20, used: 20, remaining: 0 },
          { kind: 'quota', amount: QUOTA, used: 5, remaining: 95 },
        ],
      });
      expect(await count(user, 96)).toMatchObject({ accepted: false, reason: 'limit-reached' });
      await toNextPeriod();
      // Of the 95 that are left now, and nothing of what had rolled over before.
      expect(await callsOf(user)).toMatchObject({ limit: QUOTA + 30, used: 0, remaining: QUOTA + 30 });
    });

    it('is nothing before a period was counted in', async () => {
      expect(await callsOf(newUser())).toMatchObject({ limit: QUOTA, used: 0, remaining: QUOTA });
    });
  });
}
