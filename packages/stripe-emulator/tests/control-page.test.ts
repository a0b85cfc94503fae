// The control page: its actions, and escaping of data.
import { expect, test } from 'vitest';
import { newPlan, type OwnAccount, ownEmulator, press } from './own-emulator.ts';

const emulator = ownEmulator({ sendsWebhooks: false });

interface PageForm {
  action: string;
  fields: Map<string, string>;
  text: string;
}

async function show(query: string): Promise<{ text: string; forms: PageForm[] }> {
  const text = await (await fetch(`${emulator.url()}/?${query}`)).text();
  const forms = [...text.matchAll(/<form[^>]*action="([^"]+)"[^>]*>(.*?)<\/form>/gs)].map(
    ([, action = '', inner = '']) => ({
      action: action.replaceAll('&amp;', '&'),
      fields: new Map(
        [...inner.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
          ([, name = '', value = '']) => [name, value],
        ),
      ),
      text: inner,
    }),
  );
  return { text, forms };
}

/** Submits the form of `action` with `fields`. @returns the redirect target */
async function submitTo(query: string, action: string, filledIn: Record<string, string>): Promise<string> {
  const { forms } = await show(query);
  const form = forms.find((each) => each.action.startsWith(`/act/${action}?`))!;
  const body = new URLSearchParams({ ...Object.fromEntries(form.fields), ...filledIn });
  const response = await fetch(`${emulator.url()}${form.action}`, {
    method: 'POST',
    body,
    redirect: 'manual',
  });
  expect(response.status).toBe(303);
  return response.headers.get('location')!;
}

/** @returns the message and the view that it leads to */
async function submit(...args: Parameters<typeof submitTo>): Promise<URLSearchParams> {
  return new URLSearchParams((await submitTo(...args)).slice(2));
}

function viewOf({ keys }: OwnAccount, more: Record<string, string> = {}): string {
  return String(new URLSearchParams({ account: keys.accountId, ...more }));
}

test('a person creates a customer, subscribes and upgrades them, lets a payment fail, cancels and deletes', async () => {
  const account = emulator.account({ name: 'By hand' });
  const { stripe } = account;
  const starter = await newPlan(stripe, 'Starter', 900);
  const pro = await newPlan(stripe, 'Pro', 2900);
  const created = await submit(viewOf(account), 'create-customer', {
    email: 'ada@customers.example',
    name: 'Ada',
  });
  const customer = created.get('customer')!;
  expect(created.get('said')).toBe('Ada is a customer now.');
  const view = viewOf(account, { customer });
  await submit(view, 'subscribe', { price: starter.price, trial: '0' });
  const only = async () => (await stripe.subscriptions.list({ customer, status: 'all' })).data[0]!;
  expect(await only()).toMatchObject({
    status: 'active',
    items: { data: [{ price: { id: starter.price } }] },
  });
  await submit(view, 'change-plan', { price: pro.price });
  expect((await only()).items.data[0]?.price.id).toBe(pro.price);
  await submit(view, 'change-plan', { price: pro.price, quantity: '7' });
  expect((await only()).items.data[0]).toMatchObject({ price: { id: pro.price }, quantity: 7 });
  const { price } = await newPlan(stripe, 'Seats', 500);
  expect((await submit(view, 'add-product', { price, quantity: '3' })).get('said')).toMatch(
    /Seats.* as well/,
  );
  expect((await submit(view, 'add-product', { price, quantity: '3' })).get('said')).toMatch(/already/);
  expect((await only()).items.data.map(({ quantity }) => quantity)).toEqual([7, 3]);
  await submit(view, 'change-subscription', { change: 'fail-payment' });
  expect((await only()).status).toBe('past_due');
  await submit(view, 'change-subscription', { change: 'cancel' });
  expect((await only()).status).toBe('canceled');
  await submit(view, 'change-customer', { email: 'new@customers.example', name: 'Ada' });
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ email: 'new@customers.example' });
  const { text } = await show(view);
  expect(text).toContain('customer.subscription.deleted');
  const deleted = await submit(view, 'delete-customer', {});
  expect(deleted.get('customer')).toBeNull();
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
});

test('customer search matches parts of an email, a name or an id', async () => {
  const account = emulator.account();
  const { id } = await account.stripe.customers.create({ email: 'needle@customers.example', name: 'Nadia' });
  await account.stripe.customers.create({ email: 'other@customers.example', name: 'Oskar' });
  for (const q of ['needle@', 'nadi', id.slice(4, 12)]) {
    const { text } = await show(viewOf(account, { q }));
    expect([text.includes('Nadia'), text.includes('Oskar')]).toEqual([true, false]);
  }
});

test('faults are set and cleared', async () => {
  const account = emulator.account();
  await submit(viewOf(account), 'set-faults', { refuseNext: '2', isDown: 'on', duplicateNext: '1' });
  expect(await account.control('GET', '/faults')).toMatchObject({
    refuseNext: 2,
    isDown: true,
    webhooks: { duplicateNext: 1 },
  });
  await submit(viewOf(account), 'clear-faults', {});
  expect(await account.control('GET', '/faults')).toMatchObject({ refuseNext: 0, isDown: false });
});

test('names are escaped', async () => {
  const account = emulator.account();
  const { id } = await account.stripe.customers.create({ name: '<script>alert(1)</script>"\'&' });
  const { text } = await show(viewOf(account, { customer: id, q: '"><b>', said: '<i>' }));
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
  expect(text).not.toMatch(/<script>alert|<b>|<i>/);
});

test('cross-site requests are rejected', async () => {
  const account = emulator.account();
  const send = (path: string) =>
    fetch(`${emulator.url()}${path}`, {
      method: 'POST',
      body: new URLSearchParams({ name: 'Mallory' }),
      headers: { 'sec-fetch-site': 'cross-site' },
    });
  expect((await send(`/act/create-customer?${viewOf(account)}`)).status).toBe(403);
  expect((await send('/_emulator/accounts')).status).toBe(403);
  expect((await account.stripe.customers.list()).data).toEqual([]);
});

test('a person sells once, opens a checkout with a promotion code, and settles, refunds and disputes its payments', async () => {
  const account = emulator.account({ name: 'Till' });
  const { stripe } = account;
  const view = viewOf(account);
  const sold = await submit(view, 'sell-once', { name: 'Credits <b>', amount: '20.00' });
  expect(sold.get('said')).toBe('Credits <b> is for sale at £20.00.');
  await submit(view, 'create-code', { code: 'HALF', percent: '50', duration: 'once' });
  const [price] = (await stripe.prices.list({ type: 'one_time' })).data;
  const buy = async (method: string, code?: string) => {
    const url = await submitTo(view, 'open-checkout', { price: price?.id ?? '', quantity: '1' });
    expect(await (await fetch(url)).text()).toContain('Credits &lt;b&gt;');
    if (code !== undefined) await press(`${url}/promotion`, { code });
    const paid = await press(`${url}/pay`, { email: 'till@customers.example', method });
    expect(paid.headers.get('location')).toContain(`account=${account.keys.accountId}`);
  };
  await buy('card', 'half');
  expect((await show(view)).text).toContain('£10.00');
  const refunded = await submit(view, 'refund', { amount: '4' });
  expect(refunded.get('said')).toBe('£4.00 is refunded.');
  expect((await submit(view, 'refund', { amount: '9.99' })).get('said')).toContain('is greater than');
  expect((await submit(view, 'refund', { amount: 'all' })).get('said')).toContain('is not an amount');
  await submit(view, 'dispute', {});
  expect((await submit(view, 'end-dispute', { outcome: 'won' })).get('said')).toContain('is won');
  await buy('bacs_debit');
  await submit(view, 'answer-payment', { answer: 'succeed' });
  await submit(view, 'refund', { amount: '20.00' });
  await submit(view, 'answer-refund', { answer: 'fail' });
  const { data } = await stripe.charges.list();
  expect(data.map(({ amount, amount_refunded, disputed }) => [amount, amount_refunded, disputed])).toEqual([
    [2000, 0, false],
    [1000, 400, true],
  ]);
});
