// Meters that cost an amount of another one: both count in one call, or neither.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Client, newUser } from './client.ts';

const CREDITS = { feature: 'assistant', property: 'credits' };
/** A quarter of a credit each. */
const REPLIES = { feature: 'assistant', property: 'replies' };
/** Ten credits each, and at most 20 of them. */
const IMAGES = { feature: 'assistant', property: 'images' };
/** Credits of the plan Team, a month. */
const QUOTA = 100;

export function describeCosts(client: () => Client): void {
  const secret = () => ({ key: client().target.creditsKey });
  const count = async (userIdentifier: string, fields: object) =>
    (await client().update({ userIdentifier, ...fields }, secret())).body;
  const assistantOf = async (userIdentifier: string) =>
    (await client().check({ userIdentifier }, secret())).body.features.assistant;
  const creditsOf = async (user: string) => (await assistantOf(user))?.properties.credits;

  describe('a meter that costs another one', () => {
    beforeEach(({ skip }) => skip(client().target.creditsKey === null, 'no workspace with credits'));

    it('counts what it costs on the meter that pays, rounded up', async () => {
      const user = newUser();
      expect(await count(user, { ...REPLIES, by: 5 })).toMatchObject({
        ...{ accepted: true, applied: 5, meter: { state: 'on', used: 5 } },
        costs: { ...CREDITS, per: 0.25, accepted: true, applied: 2, meter: { used: 2, remaining: 98 } },
      });
      const { replies, credits, images } = (await assistantOf(user))?.properties ?? {};
      expect(credits).toMatchObject({ limit: QUOTA, used: 2, remaining: 98 });
      expect(replies).toMatchObject({
        used: 5,
        costs: { ...CREDITS, per: 0.25, allowed: true, remaining: 98 },
      });
      expect(images).toMatchObject({ used: 0, costs: { per: 10, allowed: true } });
      expect(await count(user, { ...REPLIES, by: -4 })).toMatchObject({
        applied: -4,
        costs: { applied: -1 },
      });
      expect(await creditsOf(user)).toMatchObject({ used: 1 });
    });

    it('is refused by either meter, and then counts on neither', async () => {
      const user = newUser();
      const images = (by: number) => count(user, { ...IMAGES, by, enforce: true });
      expect(await images(11)).toMatchObject({
        ...{ accepted: false, applied: 0, reason: 'limit-reached', meter: { used: 0 } },
        costs: { accepted: false, applied: 0, meter: { used: 0 } },
      });
      expect(await images(21)).toMatchObject({ accepted: false, meter: { used: 0 } });
      expect(await images(10)).toMatchObject({
        ...{ accepted: true, allowed: true, meter: { used: 10, remaining: 10, allowed: false } },
        costs: { applied: 100, allowed: false, remaining: 0 },
      });
      expect(await assistantOf(user)).toMatchObject({
        ...{ allowed: false, reason: 'limit-reached' },
        properties: { replies: { state: 'off', allowed: false, used: 0 }, credits: { used: QUOTA } },
      });
      // Not enforced, both count beyond their limits.
      expect(await count(user, { ...REPLIES, by: 2 })).toMatchObject({
        ...{ accepted: true, allowed: false },
        costs: { applied: 1, meter: { used: QUOTA + 1 } },
      });
    });

    it('never costs more than there is, also when calls race', async () => {
      const user = newUser();
      const calls = Array.from({ length: 12 }, () => count(user, { ...REPLIES, by: 50, enforce: true }));
      const accepted = (await Promise.all(calls)).filter((answer) => answer.accepted);
      expect(accepted).toHaveLength(7);
      expect(await creditsOf(user)).toMatchObject({ used: 91 });
    });

    it('is consumed in a check with what it costs', async () => {
      const user = newUser();
      const consume = async (by: number) =>
        (await client().check({ userIdentifier: user, consume: { ...REPLIES, by } }, secret())).body;
      const taken = await consume(399);
      expect(taken.consumed).toMatchObject({ accepted: true, applied: 399, costs: { applied: 100 } });
      expect(taken.features.assistant?.properties.credits).toMatchObject({ used: QUOTA, allowed: false });
      const refused = await consume(1);
      expect(refused.consumed).toMatchObject({ accepted: false, applied: 0, costs: { accepted: false } });
    });

    it('is counted once for one idempotency key, with what it costs', async () => {
      const user = newUser();
      const images = () => count(user, { ...IMAGES, by: 2, idempotencyKey: 'order-1' });
      expect(await images()).toMatchObject({ replayed: false, costs: { applied: 20 } });
      expect(await images()).toMatchObject({ replayed: true, applied: 2, costs: { applied: 20 } });
      expect(await creditsOf(user)).toMatchObject({ used: 20 });
    });

    it('is held with what it costs, and settled with what was used', async () => {
      const user = newUser();
      const hold = (path: string, template: string, body: object) =>
        client().holds(path, template, body, secret());
      const opened = await hold('', '', { userIdentifier: user, ...REPLIES, amount: 40 });
      expect(opened.body).toMatchObject({ accepted: true, costs: { applied: 10, meter: { held: 10 } } });
      const { id } = opened.body.hold!;
      expect(await creditsOf(user)).toMatchObject({ used: 0, held: 10, remaining: 90 });
      const more = await hold(`/${id}/extend`, '/{hold}/extend', { amount: 400 });
      expect(more.body).toMatchObject({ accepted: false, costs: { accepted: false } });
      const settled = await hold(`/${id}/settle`, '/{hold}/settle', { amount: 9 });
      expect(settled.body).toMatchObject({ applied: 9, released: 31, costs: { applied: 3 } });
      expect(await creditsOf(user)).toMatchObject({ used: 3, remaining: 97 });
      const least = { userIdentifier: user, ...REPLIES, amount: 1_000, orLess: true };
      expect((await hold('', '', least)).body).toMatchObject({ hold: { amount: 388 } });
    });

    it('gives back with `givesBack` what it counted on both meters', async () => {
      const user = newUser();
      await count(user, { ...IMAGES, by: 4, idempotencyKey: 'order-1' });
      await count(user, { ...REPLIES, by: 8 });
      const back = await count(user, { ...IMAGES, givesBack: 'order-1' });
      expect(back).toMatchObject({ applied: -4, meter: { used: 0 }, costs: { applied: -40 } });
      expect(await creditsOf(user)).toMatchObject({ used: 2 });
    });
  });
}
