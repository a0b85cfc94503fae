// One look-up names many customers: by identifier, by an email or user id that belongs to them.
import { expect, test } from 'vitest';
import { rowsOf } from '#tests/support/database-rows';
import { payingTenant } from '#tests/support/paying-tenants';
import { provisioner } from '#tests/support/provisioning';
import type { Tenant } from '#tests/support/tenants';

const namesOf = async (tenant: Tenant, identifiers: readonly string[]) => {
  const query = new URLSearchParams({ identifiers: JSON.stringify(identifiers) });
  const { names } = await tenant.make<{ names: Record<string, string> }>('GET', `/customer-names?${query}`);
  return names;
};

test('a Stripe customer is named by its ID and by its email; without a name, by its email', async () => {
  const own = await payingTenant();
  const named = await own.someone([], { name: 'Nadia Kowal' });
  const unnamed = await own.someone([]);
  expect(await namesOf(own.tenant, [named.id, named.email, unnamed.id, 'nobody'])).toEqual({
    [named.id]: 'Nadia Kowal',
    [named.email]: 'Nadia Kowal',
    [unnamed.id]: unnamed.email,
  });
});

test('a customer created by API is named by its ID and its user ID', async () => {
  const own = await provisioner();
  await own.manage('PUT', '/team-4711', { name: 'Team 4711', userId: 'u_4711' });
  expect(await namesOf(own.tenant, ['team-4711', 'u_4711', 'u_other'])).toEqual({
    'team-4711': 'Team 4711',
    u_4711: 'Team 4711',
  });
});

test('other organisations’ customers have no names here, and a call names at most 50', async () => {
  const [own, other] = [await provisioner(), await provisioner()];
  await other.manage('PUT', '/ada@tests.example', { name: 'Ada Lovelace' });
  expect(await namesOf(own.tenant, ['ada@tests.example'])).toEqual({});
  const many = Array.from({ length: 51 }, (_, index) => `someone-${index}`);
  const query = (identifiers: string) => `/customer-names?${new URLSearchParams({ identifiers })}`;
  for (const refused of [JSON.stringify(many), 'nothing', '[""]'])
    expect((await own.tenant.call('GET', query(refused))).status).toBe(400);
  const rows = await rowsOf('rows_read', () => namesOf(own.tenant, many.slice(1)));
  expect(rows).toBeLessThan(600);
});
