// A customer that an application creates by API and that pays at Stripe is one customer, in whatever order the two become known.
import { exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CustomerEntitlements } from '#contracts/console/customers';
import type { CustomerAnswer } from '#contracts/public/customers';
import { check } from '#tests/support/access-checks';
import { eventually } from '#tests/support/eventually';
import { type JoiningTenant, joiningTenant, newName } from '#tests/support/joining-tenants';

let own: JoiningTenant;
beforeAll(async () => {
  own = await joiningTenant();
});

const REASON = 'A pilot customer';

const permutations = <Kind>(kinds: readonly Kind[]): Kind[][] =>
  kinds.length === 0
    ? [[]]
    : kinds.flatMap((each) =>
        permutations(kinds.filter((other) => other !== each)).map((rest) => [each, ...rest]),
      );

/** OpenFeature's flags of the customer: all, and the one of its seats. */
async function flagsOf(targetingKey: string) {
  const evaluate = async (path: string) => {
    const request = new Request(`http://localhost:4001/ofrep/v1/evaluate/flags${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${own.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ context: { targetingKey } }),
    });
    return (await exports.default.fetch(request)).json<{ flags?: OfrepFlag[] } & OfrepFlag>();
  };
  const all = (await evaluate('')).flags?.find(({ key }) => key === 'workspaces.seats')?.value;
  return { all, one: (await evaluate('/workspaces.seats')).value };
}

interface OfrepFlag {
  readonly key: string;
  readonly value: unknown;
}

/** Every way to ask for the customer says the same of it. */
async function expectSame(
  each: string,
  customer: { name: string; aliases: readonly string[]; since: number },
) {
  const { name, aliases, since } = customer;
  expect([each, await flagsOf(each)]).toEqual([each, { all: 77, one: 77 }]);
  const { body } = await own.manage<CustomerAnswer>('GET', `/${each}`);
  expect(body.customer).toMatchObject({ id: name, name: 'Workspace' });
  expect(body.access.customer.plans.toSorted()).toEqual(['plus', 'pro']);
  expect(body.overrides).toMatchObject([{ property: 'seats', value: 77 }]);
  const path = own.path(each, `/environments/${own.previewId}`);
  const page = await own.tenant.make<CustomerEntitlements>('GET', path);
  expect([each, page.identifier, page.plans.map(({ slug }) => slug).toSorted()]).toEqual([
    ...[each, name],
    ['plus', 'pro'],
  ]);
  const { names } = await check(own.secret, { userIdentifier: each }, { query: '?explain=1' });
  expect(names).toMatchObject({ asked: each, customer: name, sharedWith: [] });
  expect(names?.aliases.toSorted()).toEqual(aliases.toSorted());
  expect([each, await own.listedFor(each)]).toEqual([each, [name]]);
  const criteria = encodeURIComponent(
    JSON.stringify({ environment: own.previewId, subject: each, timeFrom: since }),
  );
  const exported = await own.tenant.user.fetch(
    `/api/orgs/${own.tenant.orgId}/event-export?format=ndjson&criteria=${criteria}`,
  );
  const asked = (await exported.text())
    .trim()
    .split('\n')
    .flatMap(
      (line) =>
        (JSON.parse(line) as { request: { userIdentifier?: string } | null }).request?.userIdentifier ?? [],
    );
  expect([each, [...new Set(asked)].toSorted()]).toEqual([each, [name, ...aliases].toSorted()]);
}

const STEPS = ['created by API', 'pays at Stripe', 'named in metadata', 'has its email'] as const;
type Step = (typeof STEPS)[number];
const orders = permutations<Step>(STEPS);

/** What happens after the step at an index: the Stripe customer is deleted and created again, or a call joins it and takes that back. */
const BETWEEN = ['replaced', 'joined and separated'] as const;

/** In every second order the one, and after each step from that on after which there is a Stripe customer. */
function betweenOf(order: readonly Step[], index: number) {
  const first = order.indexOf('pays at Stripe');
  const at = first + (Math.floor(index / BETWEEN.length) % (STEPS.length - first));
  return { kind: BETWEEN[index % BETWEEN.length], at };
}

/** By what and after how many steps. */
const happened = new Set<string>();

describe('whatever becomes known first, in the end it is one customer by every name', {
  timeout: 120_000,
}, () => {
  test.each(orders.map((order, index) => [order.join(', '), order, index] as const))(
    '%s',
    async (_, order, index) => {
      const [name, since] = [newName(), Date.now()];
      const email = `${name}@tests.example`;
      const between = betweenOf(order, index);
      const grantedBefore = (await own.plusCount()) ?? 0;
      let id: string | undefined;
      let metadata = {};
      let known: string | undefined;
      /** What the customer has counted, and what the Stripe customer has that is not it yet. */
      let [used, apart] = [0, 0];
      const payAtStripe = async () => {
        id = await own.newStripeCustomer({ metadata, ...(known === undefined ? {} : { email: known }) });
        await own.override(id, own.seats.id, 77);
      };
      for (const [at, step] of order.entries()) {
        if (step === 'created by API') {
          await own.save(name, { name: 'Workspace' });
          await own.manage('PUT', `/${name}/grants/plus`, { reason: REASON });
        } else if (step === 'pays at Stripe') {
          await payAtStripe();
        } else if (step === 'named in metadata') {
          metadata = { workspace: name };
          if (id !== undefined) await own.changeStripeCustomer(id, { metadata });
        } else {
          known = email;
          if (id !== undefined) await own.changeStripeCustomer(id, { email });
        }
        const steps = order.slice(0, at + 1);
        const isJoined = steps.includes('pays at Stripe') && steps.includes('named in metadata');
        if (isJoined) [used, apart] = [used + apart, 0];
        await own.use(name, 1);
        used += 1;
        if (id === undefined || at !== between.at) continue;
        happened.add(`${between.kind} ${at}`);
        if (between.kind === 'replaced') {
          await own.deleteStripeCustomer(id);
          await payAtStripe();
          apart = 0;
        } else {
          await own.use(id, 1);
          used += 1;
          await own.save(name, own.joinTo(id));
          await eventually(async () => expect((await own.answerOf(name)).used).toBe(used));
          await own.save(name, own.joinTo(null));
          await eventually(async () => expect((await own.plansOf(name)).includes('pro')).toBe(isJoined));
        }
        if (isJoined) continue;
        await own.use(id, 1);
        apart += 1;
      }
      const stripeId = id ?? '';
      const expected = { plans: ['plus', 'pro'], used: used + apart, seats: 77, warnings: [] };
      const aliases = [stripeId, email];
      for (const each of [name, ...aliases])
        await eventually(async () => expect([each, await own.answerOf(each)]).toEqual([each, expected]));
      for (const each of [name, ...aliases])
        await eventually(() => expectSame(each, { name, aliases, since }));
      expect(await own.plusCount()).toBe(grantedBefore + 1);
      // What one name counts, the others show.
      await own.use(stripeId, 3);
      for (const each of [name, email])
        await eventually(async () => expect((await own.answerOf(each)).used).toBe(used + apart + 3));
    },
  );

  test('each of what can happen between two steps did, after each step', () => {
    const all = BETWEEN.flatMap((kind) => STEPS.map((_, at) => `${kind} ${at}`));
    expect([...happened].toSorted()).toEqual(all.toSorted());
  });
});
