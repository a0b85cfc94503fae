// An application saves its customers with their emails at each sign-in. That goes on working when one of them pays at Stripe with the email.
import { beforeAll, expect, test } from 'vitest';
import type { CustomerAnswer } from '#contracts/public/customers';
import { eventually } from '#tests/support/eventually';
import { type JoiningTenant, joiningTenant, newName } from '#tests/support/joining-tenants';

let own: JoiningTenant;
beforeAll(async () => {
  own = await joiningTenant();
});

const REASON = 'A pilot customer';

const newEmail = () => `${newName()}@tests.example`;
const signIn = (name: string, email: string, more: object = {}) =>
  own.manage('PUT', `/${name}`, { name: 'Ada', email, ...more });
/** Stripe knows only seconds: in a later one a Stripe customer with the email is created. */
async function useBefore(email: string, by: number): Promise<void> {
  await own.use(email, by);
  await new Promise((done) => setTimeout(done, 1_100));
}

const emailOf = async (name: string) =>
  (await own.manage<CustomerAnswer>('GET', `/${name}`)).body.customer.email;

/** Twice, as at two sign-ins, and once more with the idempotency key of the first. */
async function expectIgnored(name: string, email: string, more: object = {}) {
  const said = { customer: name, ignored: ['email'] };
  const first = { ...more, idempotencyKey: `first-${name}` };
  expect(await signIn(name, email, first)).toMatchObject({ status: 200, body: { ...said, changed: true } });
  expect(await signIn(name, email, more)).toMatchObject({ status: 200, body: { ...said, changed: false } });
  expect(await signIn(name, email, first)).toMatchObject({ status: 200, body: { ...said, replayed: true } });
}

test('the email that its Stripe customer owns becomes the customer’s', async () => {
  const [name, email] = [newName(), newEmail()];
  const id = await own.newStripeCustomer({ email, metadata: { workspace: name } });
  for (const changed of [true, false]) {
    const { status, body } = await signIn(name, email);
    expect([status, body]).toMatchObject([200, { customer: name, changed }]);
    expect(body).not.toHaveProperty('ignored');
  }
  await eventually(async () => expect(await own.plansOf(id)).toEqual(['pro']));
  expect(await emailOf(name)).toBe(email);
});

test('calls have counted usage under the email before', async () => {
  const [name, email] = [newName(), newEmail()];
  await useBefore(email, 2);
  await own.newStripeCustomer({ email, metadata: { workspace: name } });
  await expectIgnored(name, email);
  expect(await emailOf(name)).toBe(email);
  await eventually(async () => expect(await own.answerOf(name)).toMatchObject({ plans: ['pro'], used: 0 }));
  expect((await own.answerOf(email)).used).toBe(2);
});

test('something was granted to the email before', async () => {
  const [name, email] = [newName(), newEmail()];
  await useBefore(email, 1);
  await own.manage('PUT', `/${email}/grants/plus`, { reason: REASON });
  await own.newStripeCustomer({ email, metadata: { workspace: name } });
  await expectIgnored(name, email);
});

test('another Stripe customer owns the email', async () => {
  const [name, email] = [newName(), newEmail()];
  const owner = await own.newStripeCustomer({ email });
  await own.use(email, 3);
  await own.newStripeCustomer({ email, metadata: { workspace: name } });
  await expectIgnored(name, email);
  await eventually(async () => expect((await own.answerOf(name)).used).toBe(0));
  for (const each of [email, owner]) expect((await own.answerOf(each)).used).toBe(3);
});

test('the customer exists without an email, and then pays', async () => {
  const [name, email] = [newName(), newEmail()];
  await useBefore(email, 2);
  await own.save(name);
  await own.newStripeCustomer({ email, metadata: { workspace: name } });
  await expectIgnored(name, email);
  // Another email of its own is still taken.
  expect((await signIn(name, newEmail())).body).not.toHaveProperty('ignored');
});

test('several Stripe customers carry the ID', async () => {
  const [name, email] = [newName(), newEmail()];
  for (const _ of [1, 2]) await own.newStripeCustomer({ email, metadata: { workspace: name } });
  await expectIgnored(name, email);
});

test('the call says which Stripe customer it is', async () => {
  const [name, email, alone] = [newName(), newEmail(), newEmail()];
  await useBefore(email, 2);
  await expectIgnored(name, email, own.joinTo(await own.newStripeCustomer({ email })));
  const other = newName();
  const body = own.joinTo(await own.newStripeCustomer({ email: alone }));
  expect((await signIn(other, alone, body)).body).not.toHaveProperty('ignored');
  expect(await emailOf(other)).toBe(alone);
  // Taken back by the same call, it is a stranger's again.
  const { status, body: refused } = await signIn(name, email, { stripe: null });
  expect([status, refused]).toMatchObject([409, { code: 'email-has-data' }]);
});

test('another created customer has the email, or has it as its ID', async () => {
  const email = newEmail();
  for (const [other, body] of [
    [newName(), { email }],
    [newEmail(), {}],
  ] as const) {
    await own.save(other, body);
    const [name, taken] = [newName(), 'email' in body ? email : other];
    await expectIgnored(name, taken, own.joinTo(await own.newStripeCustomer({ email: taken })));
    const carrier = newName();
    await own.newStripeCustomer({ email: taken, metadata: { workspace: carrier } });
    await expectIgnored(carrier, taken);
    expect(await emailOf(other)).toBe('email' in body ? email : null);
    await own.use(carrier, 2);
    await eventually(async () =>
      expect(await own.answerOf(carrier)).toMatchObject({ plans: ['pro'], used: 2 }),
    );
    expect((await own.answerOf(taken)).used).toBe(0);
  }
});

test('an email that is not its Stripe customer’s is refused as ever', async () => {
  const [name, email, atStripe] = [newName(), newEmail(), newEmail()];
  const refusal = async (given: string) => {
    const { status, body } = await signIn(name, given);
    return [status, body.code];
  };
  await own.newStripeCustomer({ email: newEmail(), metadata: { workspace: name } });
  await own.save(newName(), { email });
  await own.newStripeCustomer({ email: atStripe });
  const asId = newEmail();
  await own.save(asId);
  for (const taken of [email, atStripe, asId]) expect(await refusal(taken)).toEqual([409, 'email-taken']);
});
