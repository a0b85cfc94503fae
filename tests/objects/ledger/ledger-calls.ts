/** Ledgers of an environment of the test's own, and calls to them as the Worker makes them. */
import { env } from 'cloudflare:workers';
import type {
  CounterUpdate,
  LeavingLocations,
  LedgerAnswer,
  LedgerReading,
  LedgerSite,
  UpdateEvent,
  UpdateOutcome,
} from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import type { Meter } from '#contracts/public/values';
import { clockDifference } from '#objects/ledger/bound-time';
import { ledgerAt, ledgerStub } from '#objects/stubs';

// Calls of these tests are of another year.
clockDifference.ms = Number.POSITIVE_INFINITY;

export const LIFETIME: Meter = { limit: 50, periodType: 'lifetime', uniqueResourceIds: false };
export const SEATS: Meter = { limit: 50, periodType: 'lifetime', uniqueResourceIds: true };
/**
 * Long ago, so that keys have expired when an alarm runs. It deletes them in a minute after a full hour since they were decided, so that hour
 * is not full while a test runs.
 */
export const NOW = Date.UTC(2026, 1, 28, 12, new Date().getUTCMinutes() < 30 ? 45 : 15);

/** The event of an update, as the Worker sends it with every update. */
export const EVENT: UpdateEvent = {
  requestId: 'req_1',
  time: Date.now(),
  subjectIdentifier: 'ada',
  secondarySubjectIdentifiers: [],
  place: { country: 'GB', city: 'London', continent: 'EU' },
  planSlugs: ['starter'],
  featureSlugs: ['exports'],
  property: 'calls',
  environmentType: 'live',
  key: { id: 'key_1', type: 'secret' },
  request: { userIdentifier: 'ada', feature: 'exports', property: 'calls' },
  warnings: [],
  cfRay: 'ray-1',
};

let environments = 0;
let events = 0;

export class TestEnvironment {
  readonly environmentId: string;
  readonly orgId: string;
  readonly locations: Location[];
  generation = 1;
  /** As in the snapshots of an earlier version until locations are moved. */
  leaving: LeavingLocations | undefined;

  constructor(...locations: Location[]) {
    environments += 1;
    this.environmentId = `env_ledger_${environments}`;
    this.orgId = `org_ledger_${environments}`;
    this.locations = locations;
  }

  site(location: Location): LedgerSite {
    const { environmentId, generation, locations, leaving } = this;
    return { environmentId, location, shard: 0, generation, locations: [...locations], leaving };
  }

  /** Enables these locations and no others. Those that were disabled leave until `left` is called. */
  move(...locations: Location[]): void {
    const disabled = this.locations.filter((each) => !locations.includes(each));
    const runs = disabled.map((each) => [each, `run ${this.generation}`] as const);
    this.locations.splice(0, this.locations.length, ...locations);
    this.leaving = { ...this.leaving, ...Object.fromEntries(runs) };
    this.generation += 1;
  }

  /** The ledgers of these locations are erased. */
  left(...gone: Location[]): void {
    const others = Object.entries(this.leaving ?? {}).filter(([each]) => !gone.includes(each as Location));
    this.leaving = Object.fromEntries(others);
    this.generation += 1;
  }

  ledger(location: Location) {
    return ledgerAt(env, this.site(location));
  }

  async call(
    location: Location,
    call: {
      customer?: string;
      now?: number;
      updates?: CounterUpdate[];
      meters?: Meter[];
      wholeOnly?: boolean;
    },
  ): Promise<LedgerAnswer> {
    const { customer = 'ada', now = NOW, updates = [], meters = [], wholeOnly } = call;
    const reads = meters.map((meter) => ({ propertyId: 'prop_calls', meter }));
    const { ledger, site } = await ledgerStub(env, { ...this.site(location), customer, shards: 1 });
    const given = { site, customer, now, updates, reads, wholeOnly };
    if (updates.length !== 1) return ledger.answer(given);
    events += 1;
    const event = { id: `evt_ledger_${events}`, orgId: this.orgId, home: this.locations[0] };
    return ledger.answer({ ...given, event }, { ...EVENT, subjectIdentifier: customer });
  }

  async update(location: Location, given: Partial<CounterUpdate>, now = NOW): Promise<UpdateOutcome> {
    const answer = await this.call(location, { now, updates: [update(given)] });
    if (answer.kind !== 'answered') throw new Error('The location is disabled');
    return answer.outcomes[0]!;
  }

  async used(location: Location, meter = LIFETIME, now = NOW, customer = 'ada'): Promise<number> {
    return (await this.reading(location, meter, now, customer)).used;
  }

  async reading(location: Location, meter: Meter, now = NOW, customer = 'ada'): Promise<LedgerReading> {
    const answer = await this.call(location, { now, customer, meters: [meter] });
    if (answer.kind !== 'answered') throw new Error('The location is disabled');
    return answer.readings[0]!;
  }
}

export function update(given: Partial<CounterUpdate>): CounterUpdate {
  return { propertyId: 'prop_calls', value: { state: 'metered', meter: LIFETIME }, enforce: false, ...given };
}

export function accepted(outcomes: readonly UpdateOutcome[]): number {
  return outcomes.filter((outcome) => outcome.kind === 'decided' && outcome.accepted).length;
}
