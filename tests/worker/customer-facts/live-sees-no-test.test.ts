// What is known in test mode only changes nothing that a live environment says of any name: random customers, with and without those of test
// mode, of test environments and what was given there.
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Environment } from '#contracts/console/environments';
import { type Random, randomFrom } from '#lab/fixtures/seeded-random';
import { type CustomerTenant, customerTenant } from '#tests/support/customers';
import { nameByMetadata, subscribed } from '#tests/support/stripe-customers';
import { storedIntegration } from '#tests/support/stripe-rows';
import { openDatabase } from '#worker/db/database';
import { findNameOwners, findNamesOfCustomer } from '#worker/domains/customer-facts/customer-names';
import { decideEmailOwners } from '#worker/domains/customer-facts/decide-email-owners';
import { loadFactsOfMany } from '#worker/domains/customer-facts/load-customer-facts';
import { workContext } from '#worker/http/make-work-context';

const WORLDS = 40;

interface Organisation {
  readonly own: CustomerTenant;
  readonly accounts: readonly string[];
  readonly environmentIds: Readonly<Record<Place, string>>;
}

type Place = 'live' | 'preview';
/** A row of a table; `live` says whether it is known without test mode. */
interface Row {
  readonly isLive: boolean;
  readonly table: string;
  columnsIn(of: Organisation): Readonly<Record<string, string | number | null>>;
}

async function newOrganisation(): Promise<Organisation> {
  const own = await customerTenant();
  const live = await own.tenant.make<Environment>('POST', '/environments', { name: 'Shop', type: 'live' });
  const accounts = [await storedIntegration(own.tenant), await storedIntegration(own.tenant)];
  await nameByMetadata(own.tenant);
  // Among equals the account with the lower ID comes first.
  return { own, accounts: accounts.toSorted(), environmentIds: { live: live.id, preview: own.previewId } };
}

const PLACES = ['live', 'preview'] as const;

/** Rows of all kinds under a few names, each of which several may claim. */
function newWorld(world: number, random: Random): { readonly names: string[]; readonly rows: Row[] } {
  const name = (text: string) => `w${world}.${text}`;
  const [ids, emails, userIds] = [
    ['a', 'b'].map(name),
    ['a@tests.example', 'b@tests.example'].map(name),
    ['user'].map(name),
  ];
  const stripeIds = ['1', '2', '3'].map((each) => `cus_W${world}x${each}`);
  const maybe = (texts: readonly string[]) => (random.next() < 0.3 ? null : random.pick(texts));
  const once = new Set<string>();
  const isNew = (key: string) => !once.has(key) && once.add(key).size > 0;
  let at = 0;
  const rows: Row[] = [];
  const customers: { readonly id: string; readonly account: number; readonly isLive: boolean }[] = [];
  for (let each = 1 + random.upTo(4); each >= 0; each--) {
    const [id, account, isLive] = [random.pick(stripeIds), random.below(2), random.next() < 0.5];
    if (!isNew(`${account} ${id}`)) continue;
    customers.push({ id, account, isLive });
    const columns = {
      ...{
        id,
        livemode: Number(isLive),
        email: random.pick([emails[0] ?? null, ...emails, null]),
        user_id: maybe([...ids, ...userIds]),
      },
      email_role: random.pick(['owner', 'linked', 'separate', 'undecided', 'undecided', 'undecided']),
      ...{ email_role_at: ++at, email_since: at, created_at: at, read_at: 1, facts_version: 1 },
      ...{ name: `Person ${at}`, metadata: '{}', subscriptions: JSON.stringify([subscribed(`prod_${at}`)]) },
    };
    rows.push({
      ...{ isLive, table: 'stripe_customer' },
      columnsIn: ({ accounts }) => ({ integration_id: accounts[account] ?? '', ...columns }),
    });
  }
  for (const place of PLACES) {
    for (const identifier of [...ids, emails[0] ?? '']) {
      if (random.next() < 0.5) continue;
      const free = (text: string | null) => (text !== null && isNew(`${place} ${text}`) ? text : null);
      const columns = { identifier, email: free(maybe(emails)), user_id: free(maybe(userIds)) };
      const serial = 100 * world + ++at;
      rows.push({
        ...{ isLive: place === 'live', table: 'provisioned_customer' },
        columnsIn: ({ environmentIds }) => ({
          ...{ environment_id: environmentIds[place], ...columns, serial },
          ...{ created_at: serial, updated_at: serial, created_by_key: '{}' },
        }),
      });
      const source = random.pick([null, ...customers]);
      if (source === null || (place === 'live' && !source.isLive)) continue;
      if (!isNew(`${place} source ${source.account} ${source.id}`)) continue;
      rows.push({
        ...{ isLive: place === 'live', table: 'customer_source' },
        columnsIn: ({ environmentIds, accounts }) => ({
          ...{
            environment_id: environmentIds[place],
            identifier,
            integration_id: accounts[source.account] ?? '',
          },
          ...{ livemode: Number(source.isLive), customer_id: source.id, joined_at: serial },
        }),
      });
    }
  }
  const names = [...ids, ...emails, ...userIds, ...stripeIds];
  for (const place of [...PLACES, null])
    for (const customer of names) {
      if (random.next() < 0.6) continue;
      const id = `grt_${world}_${++at}`;
      rows.push({
        ...{ isLive: place !== 'preview', table: 'customer_grant' },
        columnsIn: ({ own, environmentIds }) => ({
          ...{
            id: `${id}_${own.tenant.orgId}`,
            customer_identifier: customer,
            plan_id: `plan_${place ?? 'all'}`,
          },
          ...{ environment_id: place && environmentIds[place], reason: 'As agreed', created_at: at },
        }),
      });
    }
  return { names, rows };
}

async function store(organisation: Organisation, rows: readonly Row[]): Promise<void> {
  const { orgId } = organisation.own.tenant;
  await env.DB.batch(
    rows.map(({ table, columnsIn }) => {
      const columns = { org_id: orgId, ...columnsIn(organisation) };
      const marks = Object.keys(columns).map(() => '?');
      return env.DB.prepare(
        `INSERT INTO ${table} (${Object.keys(columns).join(', ')}) VALUES (${marks.join(', ')})`,
      ).bind(...Object.values(columns));
    }),
  );
}

/** What an environment says of names, apart from versions, and that a name is known in the other mode: a live environment may warn of it. */
async function saidOf(
  { own, accounts, environmentIds }: Organisation,
  names: readonly string[],
  place: Place,
) {
  const db = openDatabase(env.DB);
  const [{ orgId }, environmentId] = [own.tenant, environmentIds[place]];
  const facts = await loadFactsOfMany(db, own.tenant, environmentId, names);
  const owners = await findNameOwners(db, orgId, names, environmentId);
  const said = await Promise.all(
    names.map(async (name) => {
      const { version: _, isInOtherMode: __, ...rest } = facts.get(name) ?? { version: 0 };
      const aliases = place === 'live' ? await findNamesOfCustomer(db, orgId, name, environmentId) : [];
      return { name, owner: owners.get(name), aliases: aliases.toSorted(), facts: rest };
    }),
  );
  const text = JSON.stringify(said);
  return JSON.parse(
    accounts.reduce((left, account, index) => left.replaceAll(account, `account ${index}`), text),
  );
}

const decide = ({ own }: Organisation, names: readonly string[]) =>
  decideEmailOwners(workContext(env, Date.now), own.tenant.orgId, names, async () => new Map());

test('a live environment says of every name what it says without test mode', {
  timeout: 60_000,
}, async () => {
  const [whole, liveOnly] = [await newOrganisation(), await newOrganisation()];
  let differing = 0;
  for (let world = 0; world < WORLDS; world++) {
    const { names, rows } = newWorld(world, randomFrom(world));
    await store(whole, rows);
    await store(
      liveOnly,
      rows.filter(({ isLive }) => isLive),
    );
    const both = [whole, liveOnly] as const;
    await Promise.all(both.map((organisation) => decide(organisation, names)));
    const [live, liveAlone] = await Promise.all(both.map((each) => saidOf(each, names, 'live')));
    expect(live, `world ${world}`).toEqual(liveAlone);
    const [preview, previewAlone] = await Promise.all(both.map((each) => saidOf(each, names, 'preview')));
    if (JSON.stringify(preview) !== JSON.stringify(previewAlone)) differing += 1;
  }
  // What is left out does matter where it is seen.
  expect(differing).toBeGreaterThan(WORLDS / 2);
});
