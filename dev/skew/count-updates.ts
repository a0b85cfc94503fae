// Counts one customer's usage from two places and reads it from both, by HTTP.
import { setTimeout as sleep } from 'node:timers/promises';
import { organisationEndpoints } from '#contracts/console/organisations';
import { sudoEndpoints } from '#contracts/console/sudo';
import { LOCATIONS, type Location } from '#contracts/public/locations';
import type { Meter } from '#contracts/public/values';
import {
  createDeployed,
  createFeature,
  createOrganisation,
  createPlan,
} from '../workspace/build-workspace.ts';
import { signInAs } from '../workspace/sign-in.ts';
import { waitUntil } from '../workspace/wait-until.ts';
import { RELEASED_LOCATION } from './compose-worker.ts';

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
const AT_ONCE = 8;
const PATIENCE_MS = 60_000;

const CUSTOMER = 'ada@skew.example';

export class CountingCustomer {
  readonly #url: string;
  readonly #secretKey: string;
  #number = 0;
  #total = 0;
  readonly #seats = new Set<string>();

  private constructor(url: string, secretKey: string) {
    this.#url = url;
    this.#secretKey = secretKey;
  }

  /** In an organisation with two data locations, and an environment with two meters. */
  static async create(url: string): Promise<CountingCustomer> {
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
    const feature = await createFeature(workspace, {
      name: 'Usage',
      slug: 'usage',
      properties: ['total', 'seats'].map((key) => ({
        name: key,
        propertyKey: key,
        type: 'meterable' as const,
      })),
    });
    const values = {
      usage: {
        total: { state: 'metered' as const, meter: LIFETIME },
        seats: { state: 'metered' as const, meter: SEATS },
      },
    };
    await createPlan(workspace, { name: 'Users', slug: 'users', grantToAuthenticatedUsers: true, values }, [
      feature,
    ]);
    const { secretKey } = await createDeployed(workspace, { name: 'Skew', type: 'test' });
    await waitUntil('the environment is published', async () => {
      const { features } = await post(url, secretKey, PLACES[0], 'access-checks', {
        userIdentifier: CUSTOMER,
      });
      return features?.usage !== undefined;
    });
    return new CountingCustomer(url, secretKey);
  }

  /** Half of them in each location. Every tenth key is sent to both, and every fifth update takes a seat. */
  async count(updates: number): Promise<void> {
    const numbers = Array.from({ length: updates }, () => this.#number++);
    for (let first = 0; first < updates; first += AT_ONCE)
      await Promise.all(numbers.slice(first, first + AT_ONCE).map((number) => this.#update(number)));
  }

  async #update(number: number): Promise<void> {
    const own = PLACES[number % PLACES.length] as Place;
    const by = 1 + (number % 3);
    const resourceId = number % 5 === 0 ? `seat-${number % 50}` : null;
    const body = {
      userIdentifier: CUSTOMER,
      feature: 'usage',
      idempotencyKey: `update-${number}`,
      ...(resourceId === null ? { property: 'total', by } : { property: 'seats', resourceId }),
    };
    for (const place of number % 10 === 1 ? PLACES : [own]) {
      const { accepted } = await post(this.#url, this.#secretKey, place, 'counter-updates', body);
      if (accepted !== true) throw new Error(`The update ${number} was not accepted in ${place.location}`);
    }
    if (resourceId === null) this.#total += by;
    else this.#seats.add(resourceId);
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
    await this.#compareAt(released, this.#total + 10);
    await post(this.#url, this.#secretKey, current, `holds/${hold?.id}/settle`, { amount: 4 });
    this.#total += 4;
  }

  /** @throws {Error} if a location does not read what was counted, once replication has had its time */
  async compare(): Promise<void> {
    for (const place of PLACES) await this.#compareAt(place, this.#total);
  }

  async #compareAt(place: Place, used: number): Promise<void> {
    const expected = JSON.stringify({ total: used, seats: this.#seats.size });
    let read = '';
    const deadline = Date.now() + PATIENCE_MS;
    while (read !== expected) {
      if (Date.now() > deadline)
        throw new Error(`${place.location} reads ${read}, and ${expected} was counted`);
      const { features } = await post(this.#url, this.#secretKey, place, 'access-checks', {
        userIdentifier: CUSTOMER,
      });
      const { total, seats } = features?.usage?.properties ?? {};
      read = JSON.stringify({ total: total?.used, seats: seats?.used });
      await sleep(100);
    }
  }
}

interface Answer {
  readonly accepted?: boolean;
  readonly hold?: { readonly id: string };
  readonly features?: Readonly<
    Record<string, { readonly properties: Readonly<Record<string, { readonly used: number }>> }>
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
