// Counts one customer's usage from two places and reads it from both, by HTTP.
import { setTimeout as sleep } from 'node:timers/promises';
import type { StripeEmulator } from '@tessera/stripe-emulator/start-stripe-emulator';
import { organisationEndpoints } from '#contracts/console/organisations';
import { sudoEndpoints } from '#contracts/console/sudo';
import { LOCATIONS, type Location } from '#contracts/public/locations';
import type { Meter } from '#contracts/public/values';
import {
  addProperties,
  createDeployed,
  createFeature,
  createOrganisation,
  createPlan,
  getItem,
} from '../workspace/build-workspace.ts';
import { signInAs } from '../workspace/sign-in.ts';
import { waitUntil } from '../workspace/wait-until.ts';
import { RELEASED_LOCATION } from './compose-worker.ts';
import { SHARED, SharedLimit } from './shared-limit.ts';

/** Of two data locations, one whose ledgers may be the release's. */
const PLACES = [
  {
    location: RELEASED_LOCATION,
    cf: { country: 'GB', continent: 'EU', latitude: '51.5', longitude: '-0.1', colo: 'LHR' },
  },
  {
    location: 'enam',
    cf: { country: 'US', continent: 'NA', latitude: '40.7', longitude: '-74.0', colo: 'EWR' },
  },
] as const;
type Place = (typeof PLACES)[number];

const LIFETIME: Meter = { limit: 1_000_000, periodType: 'lifetime', uniqueResourceIds: false };
const SEATS: Meter = { ...LIFETIME, uniqueResourceIds: true };
const MONTHLY: Meter = {
  ...{ limit: 1_000_000, periodType: 'rolling', periodCount: 1, periodLength: 'month' },
  uniqueResourceIds: false,
};
const ROLLING: Meter = { ...MONTHLY, rollover: { max: 'all', lasts: { months: 1 } } };
/** A release that does not know overage refuses above the limit, which nobody reaches. */
const TOTAL: Meter = { ...LIFETIME, overage: { upTo: 100 } };
/** Of calendar periods. */
const ZONE = 'Asia/Kathmandu';
const METERS = { total: TOTAL, seats: SEATS, rolling: ROLLING, wallet: MONTHLY, messages: LIFETIME };
/** Of the wallet, what a message costs. */
const COST = 1.5;
const AT_ONCE = 8;
const PATIENCE_MS = 60_000;

const CUSTOMER = 'ada@skew.example';

/** Where messages are counted, which cost: not where the release's code would not know it. */
type WithCosts = 'anywhere' | 'today' | 'nowhere';

export class CountingCustomer {
  readonly #url: string;
  readonly #secretKey: string;
  #number = 0;
  readonly #counted = { total: 0, rolling: 0, wallet: 0, messages: 0 };
  readonly #seats = new Set<string>();
  readonly #shared: SharedLimit;
  /** Once the quantity has changed. */
  #sharedLimit = 0;

  private constructor(url: string, secretKey: string, shared: SharedLimit) {
    this.#url = url;
    this.#secretKey = secretKey;
    this.#shared = shared;
  }

  /** In an organisation with two data locations, and an environment with meters that roll over, cost and count resources. */
  static async create(url: string, stripe: StripeEmulator): Promise<CountingCustomer> {
    const session = await signInAs(url, {
      email: 'skew@people.example',
      password: crypto.randomUUID(),
      name: 'Sky Skew',
    });
    const workspace = await createOrganisation(session, 'Skew Works');
    const { orgId } = workspace;
    await session.send('POST', '/dev/staff');
    await session.call(sudoEndpoints.updateOrganisation, { params: { orgId }, body: { plan: 'grow' } });
    const enabled: readonly string[] = PLACES.map(({ location }) => location);
    const locations = Object.fromEntries(LOCATIONS.map((key) => [key, enabled.includes(key)]));
    await session.call(organisationEndpoints.updateDataLocations, {
      params: { orgId },
      body: { locations: locations as Record<Location, boolean> },
    });
    await session.call(organisationEndpoints.update, { params: { orgId }, body: { zone: ZONE } });
    const property = (key: string) => ({ name: key, propertyKey: key, type: 'meterable' as const });
    const free = await createFeature(workspace, {
      name: 'Usage',
      slug: 'usage',
      properties: ['total', 'seats', 'rolling', 'wallet', SHARED].map(property),
    });
    const wallet = getItem(free.properties, ({ propertyKey }) => propertyKey === 'wallet');
    const feature = await addProperties(workspace, free, [
      { ...property('messages'), costs: { propertyId: wallet.id, per: COST } },
    ]);
    const metered = Object.entries(METERS).map(
      ([key, meter]) => [key, { state: 'metered' as const, meter }] as const,
    );
    const values = { usage: Object.fromEntries(metered) };
    await createPlan(workspace, { name: 'Users', slug: 'users', grantToAuthenticatedUsers: true, values }, [
      feature,
    ]);
    const shared = await SharedLimit.create(stripe, workspace, feature);
    const { secretKey } = await createDeployed(workspace, { name: 'Skew', type: 'test' });
    await waitUntil('the environment is published', async () => {
      const { features } = await post(url, secretKey, PLACES[0], 'access-checks', {
        userIdentifier: CUSTOMER,
      });
      return features?.usage !== undefined;
    });
    return new CountingCustomer(url, secretKey, shared);
  }

  /** Half of them in each location. Every tenth key is sent to both, and every fifth update takes a seat. */
  async count(updates: number, costs: WithCosts): Promise<void> {
    const numbers = Array.from({ length: updates }, () => this.#number++);
    for (let first = 0; first < updates; first += AT_ONCE)
      await Promise.all(numbers.slice(first, first + AT_ONCE).map((number) => this.#update(number, costs)));
  }

  async #update(number: number, costs: WithCosts): Promise<void> {
    const own = PLACES[number % PLACES.length] as Place;
    const by = 1 + (number % 3);
    const resourceId = number % 5 === 0 ? `seat-${number % 50}` : null;
    const isCosting = costs === 'anywhere' || (costs === 'today' && own.location !== RELEASED_LOCATION);
    const property = number % 7 === 3 && isCosting ? 'messages' : number % 4 === 2 ? 'rolling' : 'total';
    const body = {
      userIdentifier: CUSTOMER,
      feature: 'usage',
      idempotencyKey: `update-${number}`,
      ...(resourceId === null ? { property, by } : { property: 'seats', resourceId }),
    };
    for (const place of number % 10 === 1 && property !== 'messages' ? PLACES : [own]) {
      const { accepted } = await post(this.#url, this.#secretKey, place, 'counter-updates', body);
      if (accepted !== true) throw new Error(`The update ${number} was not accepted in ${place.location}`);
    }
    if (resourceId !== null) {
      this.#seats.add(resourceId);
      return;
    }
    this.#counted[property] += by;
    if (property === 'messages') this.#counted.wallet += Math.ceil(by * COST);
  }

  /** Changes the quantity. @throws {Error} if locations do not come to the same limit, of the shares of both quantities */
  async shareLimit(): Promise<void> {
    const limit = () => this.#readShared(PLACES[1]);
    await waitUntil('the subscription is known', async () => this.#shared.isFirst(await limit()));
    await this.#shared.changeQuantity();
    await waitUntil('the limit is shared', async () => this.#shared.isShared(await limit()));
    this.#sharedLimit = await limit();
    await this.compareShares();
  }

  /** @throws {Error} if a location says another limit than at first, once it knows the customer */
  async compareShares(): Promise<void> {
    for (const place of PLACES)
      await waitUntil(
        `${place.location} has the limit ${this.#sharedLimit}`,
        async () => (await this.#readShared(place)) === this.#sharedLimit,
      );
  }

  async #readShared(place: Place): Promise<number> {
    const body = { userIdentifier: this.#shared.customer };
    const { features } = await post(this.#url, this.#secretKey, place, 'access-checks', body);
    return features?.usage?.properties[SHARED]?.limit ?? 0;
  }

  /**
   * The release's ledgers know no holds: they make none, and take what others hold for used.
   * @throws {Error} if they do not
   */
  async hold(): Promise<void> {
    const [released, current] = PLACES;
    const body = { userIdentifier: CUSTOMER, feature: 'usage', property: 'total', amount: 10 };
    const refused = await send(this.#url, this.#secretKey, released, 'holds', body);
    if (refused.status !== 503) throw new Error(`A hold in ${released.location} was a ${refused.status}`);
    const { hold } = await post(this.#url, this.#secretKey, current, 'holds', {
      ...body,
      idempotencyKey: 'hold',
    });
    await this.#compareAt(released, 10);
    await post(this.#url, this.#secretKey, current, `holds/${hold?.id}/settle`, { amount: 4 });
    this.#counted.total += 4;
  }

  /** @throws {Error} if a location does not read what was counted, once replication has had its time */
  async compare(): Promise<void> {
    for (const place of PLACES) await this.#compareAt(place, 0);
  }

  /** @param held of `total`, beside what was counted */
  async #compareAt(place: Place, held: number): Promise<void> {
    const { total, ...others } = this.#counted;
    const expected = JSON.stringify({ total: total + held, ...others, seats: this.#seats.size });
    let read = '';
    const deadline = Date.now() + PATIENCE_MS;
    while (read !== expected) {
      if (Date.now() > deadline)
        throw new Error(`${place.location} reads ${read}, and ${expected} was counted`);
      const { features } = await post(this.#url, this.#secretKey, place, 'access-checks', {
        userIdentifier: CUSTOMER,
      });
      const { properties = {} } = features?.usage ?? {};
      const names = [...Object.keys(this.#counted), 'seats'];
      read = JSON.stringify(Object.fromEntries(names.map((name) => [name, properties[name]?.used])));
      await sleep(100);
    }
  }
}

interface Answer {
  readonly accepted?: boolean;
  readonly hold?: { readonly id: string };
  readonly features?: Readonly<
    Record<
      string,
      { readonly properties: Readonly<Record<string, { readonly used: number; readonly limit?: number }>> }
    >
  >;
}

/** Repeats what is unavailable: every update has a key. @throws {Error} for any other refusal */
async function post(
  url: string,
  secretKey: string,
  place: Place,
  path: string,
  body: object,
): Promise<Answer> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const response = await send(url, secretKey, place, path, body);
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as Answer;
    if (response.status < 500 || Date.now() > deadline)
      throw new Error(`${path} answered ${response.status}: ${text}`);
    await sleep(200);
  }
}

function send(url: string, secretKey: string, { cf }: Place, path: string, body: object): Promise<Response> {
  return fetch(`${url}/api/v1/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secretKey}`,
      'content-type': 'application/json',
      'x-dev-cf': JSON.stringify(cf),
    },
    body: JSON.stringify(body),
  });
}
