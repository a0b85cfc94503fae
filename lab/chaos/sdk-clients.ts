// The clients of a run that use the package, as an application does: nothing that they count may be lost or counted twice, whatever happens
// on the way, so that their totals are exact. What the package has no call for, they do as the raw clients.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rolldown } from 'rolldown';
import type { Random } from '#lab/fixtures/seeded-random';
import type { Access, Tessera, TesseraError, TesseraEvent, TesseraOptions } from '#sdk/index';
import { sdkFolder } from '../../dev/sdk/build-sdk.ts';
import { type ClientState, inTurn, noteCheck, provisionInTurn, RESOURCES, refuse } from './clients.ts';
import type { CustomerHistory, Range } from './history.ts';
import { type ClientOptions, GIVE_UP_AFTER_MS } from './send.ts';
import { FEATURE, homeOf, PLACES, type Place } from './workspace.ts';

/** On a busy machine a call that succeeds may take seconds. */
const TIMEOUT_MS = 5_000;

type Create = (options: TesseraOptions) => Tessera;

/** @param now the clock of its clients: the run moves it with the server's, as the world would */
export async function loadSdk(now: () => number): Promise<Create> {
  const bundle = await rolldown({ input: join(sdkFolder, 'index.ts') });
  const { output } = await bundle.generate({ format: 'iife', name: 'sdk' });
  await bundle.close();
  class WorldDate extends Date {
    static override readonly now = now;
  }
  return new Function('Date', `${output[0].code}\nreturn sdk.createTessera;`)(WorldDate) as Create;
}

/** One application: a client of the package in each place, with answers and a buffer of its own. */
export class SdkClient {
  readonly #options: ClientOptions;
  readonly #state: ClientState;
  readonly #at: ReadonlyMap<Place, Tessera>;
  #lastRequestId = '';
  /** Updates that count, whatever became of their calls. */
  counted = 0;

  constructor(create: Create, options: ClientOptions, state: ClientState) {
    this.#options = options;
    this.#state = state;
    const settings = { url: options.baseUrl, key: options.workspace.secretKey, timeoutMs: TIMEOUT_MS };
    this.#at = new Map(
      PLACES.map((place) => {
        const onEvent = (event: TesseraEvent) => this.#hear(event, place);
        return [place, create({ ...settings, fetch: fetchAt(place), onEvent })];
      }),
    );
  }

  readonly operate = async (options: ClientOptions, random: Random): Promise<void> => {
    const customers = options.history.all();
    const index = random.upTo(customers.length - 1);
    const customer = customers[index] as CustomerHistory;
    const [user, anywhere] = [random.pick(customer.names), random.pick(PLACES)];
    const choice = random.next();
    if (choice < 0.3) return this.#check(customer, user, anywhere);
    if (choice < 0.6) return this.#count(customer, user, random, anywhere);
    if (choice < 0.7) return this.#allow(customer, user, random, anywhere);
    const home = homeOf(index);
    if (choice < 0.83) return inTurn(customer, () => this.#consume(customer, user, random, home));
    if (choice < 0.89) return provisionInTurn(options, customer, random);
    return inTurn(customer, () => this.#useResource(customer, user, random, home));
  };

  /** Everything counted is acknowledged, or that is a difference. */
  async finish(): Promise<void> {
    for (const [{ location }, tessera] of this.#at) {
      if (await this.#flush(tessera)) continue;
      this.#options.history.differences.push(`Usage counted in ${location} was not taken in time`);
    }
  }

  #hear(event: TesseraEvent, { location }: Place): void {
    const { history } = this.#options;
    if (event.type === 'answer') this.#lastRequestId = event.requestId ?? '';
    else if (event.type === 'mistake') history.note({ location, sdk: event.type, error: event.message });
    else history.note({ location, sdk: event.type, error: event.error.message });
    if (event.type !== 'undelivered') return;
    history.differences.push(`${event.updates.length} updates were not delivered: ${event.error.message}`);
  }

  async #check(customer: CustomerHistory, user: string, place: Place): Promise<void> {
    noteCheck(this.#options, customer, await this.#untilAnswered(() => this.#in(place).check({ user })));
  }

  async #untilAnswered(ask: () => Promise<Access>): Promise<Access | null> {
    const givesUpAt = Date.now() + GIVE_UP_AFTER_MS;
    while (Date.now() < givesUpAt) {
      try {
        return await ask();
      } catch (error) {
        const { type, message, status } = error as TesseraError;
        if (status !== null && status < 500 && status !== 429) {
          this.#options.history.differences.push(`A check by the package: ${type}: ${message}`);
          return null;
        }
        await sleep(500);
      }
    }
    return null;
  }

  async #count(customer: CustomerHistory, user: string, random: Random, place: Place): Promise<void> {
    const property = random.next() < 0.5 ? 'total' : 'monthly';
    const by = 1 + random.upTo(4);
    this.#addTo(customer[property], by);
    this.#in(place).count(`${FEATURE}.${property}`, { on: { user }, by });
    void this.#settle(place);
  }

  /** Whatever becomes of the call, usage that was allowed counts once. */
  async #allow(customer: CustomerHistory, user: string, random: Random, place: Place): Promise<void> {
    const by = 1 + random.upTo(4);
    this.#addTo(customer.total, by);
    const options = { on: { user }, by, fallback: 'allow' } as const;
    const { counted } = await this.#in(place).consume(`${FEATURE}.total`, options);
    if (counted === 'no') this.#options.history.differences.push(`${user} was refused what has no limit`);
    if (counted === 'later') void this.#settle(place);
  }

  async #consume(customer: CustomerHistory, user: string, random: Random, home: Place): Promise<void> {
    const by = 1 + random.upTo(2);
    customer.capped.max += by;
    const options = { on: { user }, by, fallback: 'deny' } as const;
    const { counted, source } = await this.#in(home).consume(`${FEATURE}.capped`, options);
    if (source === 'fallback') this.#options.history.unknown += 1;
    else if (counted === 'now') customer.capped.min += by;
    else refuse(customer, this.#lastRequestId, by);
  }

  async #useResource(customer: CustomerHistory, user: string, random: Random, home: Place): Promise<void> {
    const resource = `resource-${random.upTo(RESOURCES - 1)}`;
    const release = random.next() < 0.45;
    this.#in(home).count(`${FEATURE}.seats`, { on: { user }, resource, release });
    if (!(await this.#settle(home))) {
      this.#options.history.unknown += 1;
      customer.resources.set(resource, 'unknown');
    } else if (customer.resources.get(resource) !== 'unknown') {
      customer.resources.set(resource, release ? 'free' : 'held');
    }
  }

  /** In flight until it is taken: a pause waits for it. */
  async #settle(place: Place): Promise<boolean> {
    this.#state.inFlight += 1;
    try {
      return await this.#flush(this.#in(place));
    } finally {
      this.#state.inFlight -= 1;
    }
  }

  /** The package's bound is by its own clock, which the run moves. */
  async #flush(tessera: Tessera): Promise<boolean> {
    const givesUpAt = Date.now() + GIVE_UP_AFTER_MS;
    while (Date.now() < givesUpAt) {
      try {
        await tessera.flush();
        return true;
      } catch {
        // It is kept, and what is not is heard.
        await sleep(100);
      }
    }
    return false;
  }

  #addTo(range: Range, by: number): void {
    this.counted += 1;
    range.min += by;
    range.max += by;
  }

  #in(place: Place): Tessera {
    return this.#at.get(place) as Tessera;
  }
}

function fetchAt({ cf }: Place): typeof globalThis.fetch {
  return (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as object), 'x-dev-cf': JSON.stringify(cf) } });
}
