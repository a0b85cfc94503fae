// What is left of a period can be used after it. Each step is compared with a plain model: uses in a list, a date for each period's begin, no
// buckets, no registers, nothing kept but what was said.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CounterUpdate, UpdateOutcome } from '#contracts/internal/ledger';
import type { Rollover } from '#contracts/public/rollover';
import type { Meter } from '#contracts/public/values';
import { readOwnMeter } from '#engine/entitlements/read-own-meter';
import { rolledName } from '#engine/ledger/rolled-grants';
import { deleteSettled } from '#objects/ledger/delete-settled';
import { mergeAliasUsage, nextAliasPage } from '#objects/ledger/merge-alias-usage';
import { Crash } from './ledger-memory-store.ts';
import { Place } from './place.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const PROPERTY = 'prop_calls';
const BILLING = {
  periodType: 'billing',
  periodCount: 1,
  periodLength: 'month',
  uniqueResourceIds: false,
} as const;
const MONTHLY = { ...BILLING, periodType: 'rolling' } as const;

/** When period `number` after the anchor's begins: the anchor's day, or the month's last. */
function beginOf(anchor: number, number: number): number {
  const date = new Date(anchor);
  const month = date.getUTCMonth() + number;
  const last = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), last);
  return Date.UTC(date.getUTCFullYear(), month, day) + (anchor % DAY);
}

interface Use {
  readonly at: number;
  /** The number of the period that it was left of; null: the quota. */
  readonly of: number | null;
  readonly amount: number;
}

interface Left {
  readonly of: number | null;
  readonly amount: number;
  readonly left: number;
}

/** What should be. */
class Model {
  readonly #anchor: number;
  readonly #uses: Use[] = [];
  /** By number: the first and the last limit of those that were decided in while they roll over. */
  readonly #seen = new Map<number, { first: number; last: number }>();

  constructor(anchor: number) {
    this.#anchor = anchor;
  }

  add(now: number, amount: number, limit: number, rollover: Rollover | undefined, enforce: boolean): boolean {
    const parts: Use[] = [];
    let rest = amount;
    for (const { of, left } of this.sources(now, limit, rollover)) {
      const part = Math.min(rest, left);
      if (part > 0) parts.push({ at: now, of, amount: part });
      rest -= part;
    }
    if (rollover !== undefined) {
      const number = this.#numberAt(now);
      this.#seen.set(number, { first: this.#seen.get(number)?.first ?? limit, last: limit });
    }
    if (rest > 0 && enforce) return false;
    this.#uses.push(...parts, { at: now, of: null, amount: rest });
    return true;
  }

  /** In the order of drawing. */
  sources(now: number, limit: number, rollover: Rollover | undefined): Left[] {
    const current = this.#numberAt(now);
    const quota = {
      of: null,
      amount: limit,
      left: Math.max(0, limit - this.#used(null, current)),
      end: current + 1,
    };
    const rolled = rollover === undefined ? [] : this.#rolled(current, limit, rollover);
    const isFirst = (end: number) => end <= quota.end;
    return [...rolled.filter(({ end }) => isFirst(end)), quota, ...rolled.filter(({ end }) => !isFirst(end))];
  }

  #rolled(current: number, limit: number, { max, share = 100, lasts, times = 1 }: Rollover) {
    const most = (left: number) =>
      Math.min(max === 'all' ? Infinity : max, Number((BigInt(left) * BigInt(share)) / 100n));
    const found = [];
    const numbers = [...this.#seen.keys()];
    for (let number = Math.min(current, ...numbers); number < current; number++) {
      const seen = this.#seen.get(number);
      const later = Math.min(...numbers.filter((each) => each > number));
      const used = this.#uses.filter((use) => this.#numberAt(use.at) === number && use.amount > 0);
      if (seen === undefined && used.length > 0) continue;
      const had = seen?.last ?? this.#seen.get(later)?.first ?? limit;
      let amount = most(Math.max(0, had - this.#used(null, number)));
      let end = lasts === 'forever' ? Infinity : number + 1 + lasts.months;
      for (let time = 1; time < times && end <= current && lasts !== 'forever'; time++) {
        const before = this.#uses
          .filter((use) => use.of === number && this.#numberAt(use.at) < end)
          .reduce((sum, use) => sum + use.amount, 0);
        amount = before + most(Math.max(0, amount - before));
        end += lasts.months;
      }
      const drawn = this.#uses.filter((use) => use.of === number).reduce((sum, use) => sum + use.amount, 0);
      if (end > current && amount > 0)
        found.push({ of: number, amount, left: Math.max(0, amount - drawn), end });
    }
    return found.sort((one, other) => one.end - other.end || one.of - other.of);
  }

  /** Of the quota, in a period. */
  #used(of: null, number: number): number {
    return this.#uses
      .filter((use) => use.of === of && this.#numberAt(use.at) === number)
      .reduce((sum, use) => sum + use.amount, 0);
  }

  #numberAt(at: number): number {
    let number = 0;
    while (beginOf(this.#anchor, number + 1) <= at) number++;
    return number;
  }

  nameOf(number: number | null): string {
    return number === null ? 'quota' : rolledName(PROPERTY, beginOf(this.#anchor, number));
  }
}

const rollover: fc.Arbitrary<Rollover> = fc.oneof(
  fc.record({
    max: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constant('all' as const)),
    share: fc.constantFrom(100, 50, 33),
    lasts: fc.integer({ min: 1, max: 4 }).map((months) => ({ months })),
    times: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ max: fc.constantFrom(20, 'all' as const), lasts: fc.constant('forever' as const) }),
);

const step = fc.record({
  days: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 20 }) },
    fc.integer({ min: 20, max: 150 }),
  ),
  minutes: fc.integer({ min: 0, max: 1440 }),
  by: fc.integer({ min: 0, max: 60 }),
  limit: fc.constantFrom(0, 10, 40, 41, 100),
  enforce: fc.boolean(),
  rolls: fc.integer({ min: 0, max: 9 }).map((each) => each > 0),
  place: fc.nat(1),
  beside: fc.constantFrom('nothing', 'nothing', 'restart', 'crash'),
});

/** The last days of months of any length, leap day, and a time of day. */
const anchor = fc
  .tuple(fc.integer({ min: 26, max: 31 }), fc.constantFrom(0, 7, 11), fc.integer({ min: 0, max: 1439 }))
  .map(([day, month, minute]) => Date.UTC(2027, month, day) + minute * MINUTE);

const update = (by: number, meter: Meter, anchorAt: number, rest: Partial<CounterUpdate> = {}) => ({
  ...{ propertyId: PROPERTY, by, anchorAt, value: { state: 'metered', meter } as const },
  ...rest,
});

function decided(outcome: UpdateOutcome) {
  if (outcome.kind !== 'decided') throw new Error(outcome.kind);
  return outcome;
}

/** As answers list it. */
function linesOf(place: Place, now: number, meter: Meter, anchorAt: number) {
  const reading = place.read(now, { meter: { ...meter, anchorAt } });
  const value = { state: 'metered', meter } as const;
  const own = {
    anchors: new Map([[0, { at: anchorAt, by: 'sub_1', window: { anchorAt } }]]),
    balances: null,
  };
  const answer = readOwnMeter(own, { index: 0 }, value, reading, { now, isListed: true });
  if (answer.state !== 'metered') throw new Error(answer.state);
  return answer;
}

describe('what is left of a period', () => {
  it('is what a plain list says, after each step and in every location, for any rule, anchor and changing limit', () => {
    fc.assert(
      fc.property(
        anchor,
        rollover,
        fc.array(step, { minLength: 1, maxLength: 25 }),
        (anchorAt, rule, steps) => {
          const places = [new Place('weur'), new Place('apac')] as const;
          const model = new Model(anchorAt);
          let now = anchorAt;
          for (const { days, minutes, by, limit, enforce, rolls, place, beside } of steps) {
            now += days * DAY + minutes * MINUTE;
            const meter: Meter = { ...BILLING, limit, ...(rolls && { rollover: rule }) };
            const [own, other] = place === 0 ? places : [places[1], places[0]];
            if (beside === 'restart') own.restart();
            if (beside === 'crash') {
              own.store.crashesNext = true;
              expect(() => own.decide(now, update(by, meter, anchorAt, { enforce }), { limit })).toThrow(
                Crash,
              );
            }
            const expected = model.sources(now, limit, meter.rollover);
            const before = linesOf(own, now, meter, anchorAt);
            if (expected.length > 1)
              expect(
                before.balances?.map((line) => [line.id ?? 'quota', line.amount, line.remaining]),
              ).toEqual(expected.map(({ of, amount, left }) => [model.nameOf(of), amount, left]));
            else expect(before.balances).toBeUndefined();
            const outcome = decided(own.decide(now, update(by, meter, anchorAt, { enforce }), { limit }));
            expect(outcome.accepted).toBe(model.add(now, by, limit, meter.rollover, enforce));
            const after = linesOf(own, now, meter, anchorAt);
            // B: nothing is in no line.
            expect(after.limit).toBe(
              after.used + after.remaining - (after.overage ?? Math.max(0, after.used - after.limit)),
            );
            other.receive(own, now);
            expect(linesOf(other, now, meter, anchorAt)).toEqual(after);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** What rolled over, as `[from, amount, until]`. */
const rolledOf = (place: Place, now: number, meter: Meter, anchorAt = 0, trialEndAt?: number) =>
  (place.read(now, { meter: { ...meter, anchorAt, trialEndAt } }).rolled ?? []).map(
    ({ from, amount, endsAt }) => [from, amount, endsAt],
  );

it('locations that decided apart say the same once they have met, in whatever order, and no grant is drawn below zero', () => {
  fc.assert(
    fc.property(
      anchor,
      rollover,
      fc.array(step, { minLength: 1, maxLength: 20 }),
      (anchorAt, rule, steps) => {
        const places = [new Place('weur'), new Place('apac')] as const;
        let now = anchorAt;
        let meter: Meter = { ...BILLING, limit: 0 };
        for (const { days, minutes, by, limit, enforce, rolls, place, beside } of steps) {
          now += days * DAY + minutes * MINUTE;
          meter = { ...BILLING, limit, ...(rolls && { rollover: rule }) };
          const own = places[place as 0 | 1];
          decided(own.decide(now, update(by - 10, meter, anchorAt, { enforce }), { limit }));
          if (beside === 'restart') own.restart();
          if (beside === 'crash') own.receive(places[(1 - place) as 0 | 1], now);
        }
        meter = { ...BILLING, limit: 40, rollover: rule };
        for (let times = 0; times < 2; times++) {
          places[0].receive(places[1], now);
          places[1].receive(places[0], now);
        }
        const [one, other] = places.map((place) => linesOf(place, now, meter, anchorAt));
        expect(one).toEqual(other);
        for (const { used, remaining, amount } of one?.balances ?? []) {
          expect(Math.min(used, remaining)).toBeGreaterThanOrEqual(0);
          expect(used + remaining).toBe(amount);
        }
        for (const place of places) place.restart();
        expect(places.map((place) => linesOf(place, now, meter, anchorAt))).toEqual([one, one]);
      },
    ),
    { numRuns: 200 },
  );
});

describe('a period', () => {
  const meter: Meter = { ...BILLING, limit: 100, rollover: { max: 'all', lasts: { months: 2 } } };
  const at = (text: string) => Date.parse(`${text}Z`);

  it('of several months leaves what those months did, and its rest lasts by months of the anchor', () => {
    const place = new Place('weur');
    const anchorAt = at('2026-01-31T10:00');
    const quarterly = { ...meter, periodCount: 3 };
    decided(place.decide(at('2026-04-29T00:00'), update(40, quarterly, anchorAt), { limit: 100 }));
    const rest = [[anchorAt, 60, at('2026-06-30T10:00')]];
    expect(rolledOf(place, at('2026-04-30T10:00'), quarterly, anchorAt)).toEqual(rest);
    expect(rolledOf(place, at('2026-06-30T09:59'), quarterly, anchorAt)).toEqual(rest);
    expect(rolledOf(place, at('2026-06-30T10:00'), quarterly, anchorAt)).toEqual([]);
  });

  it('that a new anchor cuts short leaves what it has then, once', () => {
    const place = new Place('weur');
    const [anchorAt, anew] = [at('2026-01-05T00:00'), at('2026-01-20T12:00')];
    decided(place.decide(at('2026-01-10T00:00'), update(30, meter, anchorAt), { limit: 100 }));
    expect(rolledOf(place, anew, meter, anew)).toEqual([[anchorAt, 70, at('2026-03-20T12:00')]]);
    decided(place.decide(at('2026-01-21T00:00'), update(100, meter, anew), { limit: 100 }));
    expect(rolledOf(place, at('2026-02-21T00:00'), meter, anew)).toEqual([
      [anchorAt, 70, at('2026-03-20T12:00')],
    ]);
  });

  it('of long ago is none, whether or not the ledger has deleted it: no answer depends on when it does', () => {
    const place = new Place('weur', ['weur']);
    const anchorAt = at('2026-01-05T00:00');
    const now = at('2027-06-10T00:00');
    const rolled = () => rolledOf(place, now, meter, anchorAt);
    decided(place.decide(at('2026-01-10T00:00'), update(30, meter, anchorAt), { limit: 100 }));
    // Of the window before, a ledger that remembers it would make up a rest.
    decided(place.decide(now, update(10, meter, anchorAt), { limit: 100 }));
    expect(rolled()).toEqual([]);
    expect(deleteSettled(place.ledger, now).count).toBe(1);
    expect(rolled()).toEqual([]);
    place.restart();
    expect(rolled()).toEqual([]);
    // What is not as old does count.
    const later = at('2028-06-10T00:00');
    expect(rolledOf(place, later, meter, anchorAt)).toHaveLength(2);
  });

  it('keeps what was used in it apart from what was used before, although nothing but itself knows its begin any more', () => {
    const place = new Place('weur');
    const [anchorAt, anew] = [at('2026-01-05T14:31'), at('2026-01-05T18:49')];
    decided(place.decide(anchorAt - MINUTE, update(4, meter, 0), { limit: 100 }));
    decided(place.decide(anchorAt, update(2, meter, anchorAt), { limit: 100 }));
    place.restart();
    const free: Meter = { ...BILLING, limit: 20 };
    for (const minute of [-2, -1])
      decided(place.decide(anew + minute * MINUTE, update(1, free, 0), { limit: 20 }));
    expect(rolledOf(place, anew, meter, anew).find(([from]) => from === anchorAt)?.[1]).toBe(96);
  });

  it.each([
    { what: 'a billing month of an anchor that is gone', window: BILLING, from: at('2026-01-05T14:31') },
    {
      what: 'a month of a time zone',
      window: { ...MONTHLY, zone: 'Asia/Kolkata' },
      from: at('2026-01-31T18:30'),
    },
  ])('keeps its usage apart as long as what it left can be used: $what', ({ window, from }) => {
    const place = new Place('weur');
    const forGood: Meter = { ...window, limit: 100, rollover: { max: 'all', lasts: 'forever' } };
    const anchorOf = (now: number) => (now < from ? 0 : from);
    for (const [minute, by] of [
      [-1, 40],
      [0, 20],
    ] as const) {
      const now = from + minute * MINUTE;
      decided(place.decide(now, update(by, forGood, anchorOf(now)), { limit: 100 }));
    }
    place.restart();
    for (const year of [2027, 2028, 2029, 2030])
      decided(place.decide(at(`${year}-06-10T00:00`), update(1, forGood, 0), { limit: 100 }));
    const amounts = new Map(
      rolledOf(place, at('2030-06-10T00:00'), forGood).map(([start, amount, end]) => [start, [amount, end]]),
    );
    expect(amounts.get(from)).toEqual([80, null]);
    expect([...amounts.values()][0]).toEqual([60, null]);
  });

  it('keeps apart what was drawn of its rest before and after that rolled over again', () => {
    const place = new Place('weur');
    const rollover = { max: 'all', share: 50, lasts: { months: 6 }, times: 4 } as const;
    const yearly: Meter = { ...BILLING, periodCount: 12, limit: 100, rollover };
    const anchorAt = at('2026-01-05T14:31');
    const draw = (time: string, by: number) =>
      decided(place.decide(at(time), update(by, yearly, anchorAt), { limit: 100 }));
    draw('2026-01-06T00:00', 20);
    draw('2027-07-05T14:30', 10);
    draw('2027-07-05T14:40', 10);
    const now = at('2028-09-10T00:00');
    const rest = () => rolledOf(place, now, yearly, anchorAt).find(([from]) => from === anchorAt);
    // 40, of which 30 roll over, then 5, then 2.
    expect(rest()).toEqual([anchorAt, 21, at('2029-01-05T14:31')]);
    draw('2028-09-10T00:00', 1);
    expect(rest()).toEqual([anchorAt, 21, at('2029-01-05T14:31')]);
  });

  it('keeps its usage apart also while the meter counts by calendar months', () => {
    const place = new Place('weur');
    const anchorAt = at('2026-01-05T14:31');
    decided(place.decide(anchorAt - MINUTE, update(4, meter, 0), { limit: 100 }));
    decided(place.decide(anchorAt, update(2, meter, anchorAt), { limit: 100 }));
    place.restart();
    const monthly: Meter = { ...MONTHLY, limit: 100, rollover: { max: 'all', lasts: { months: 12 } } };
    for (const day of [1, 2])
      decided(place.decide(at(`2026-04-0${day}T00:00`), update(1, monthly, 0), { limit: 100 }));
    expect(rolledOf(place, at('2026-04-03T00:00'), monthly).map(([, amount]) => amount)).toContain(98);
  });

  it('is a trial, too: the months after it are counted from its end', () => {
    const place = new Place('weur');
    const [anchorAt, trialEndAt] = [at('2026-01-05T00:00'), at('2026-01-19T00:00')];
    const trial = update(8, { ...meter, limit: 10 }, anchorAt, { trialEndAt });
    decided(place.decide(at('2026-01-06T00:00'), trial, { limit: 10 }));
    expect(rolledOf(place, trialEndAt, meter, anchorAt, trialEndAt)).toEqual([
      [anchorAt, 2, at('2026-03-19T00:00')],
    ]);
  });

  it('of a plan that has changed leaves by the limit of its last call, and one that counted without a rollover nothing', () => {
    const place = new Place('weur');
    const january = at('2026-01-10T00:00');
    decided(place.decide(january, update(10, meter, 0), { limit: 100 }));
    decided(place.decide(january + DAY, update(10, { ...meter, limit: 50 }, 0), { limit: 50 }));
    const free: Meter = { ...BILLING, limit: 20 };
    decided(place.decide(january + 31 * DAY, update(5, free, 0), { limit: 20 }));
    expect(rolledOf(place, at('2026-02-20T00:00'), free)).toEqual([]);
    expect(rolledOf(place, at('2026-03-02T00:00'), meter)).toEqual([
      [at('2026-01-01T00:00'), 30, at('2026-04-01T00:00')],
    ]);
  });

  it('leaves less if usage of it comes late, and more if some of it is given back', () => {
    const place = new Place('weur');
    const [last, next] = [at('2026-01-31T23:50'), at('2026-02-01T00:10')];
    decided(place.decide(last, update(10, meter, 0), { limit: 100 }));
    const left = () => rolledOf(place, next, meter).map(([, amount]) => amount);
    expect(left()).toEqual([90]);
    decided(
      place.decide(
        next,
        update(5, { ...BILLING, limit: 0, rollover: meter.rollover }, 0, {
          occurredAt: last,
          enforce: false,
        }),
        { limit: 0 },
      ),
    );
    // What was rolled over paid for it.
    expect(left()).toEqual([90]);
    expect(place.read(next, { meter }).draws?.grants).toEqual({
      [rolledName(PROPERTY, at('2026-01-01T00:00'))]: 5,
    });
    decided(place.decide(last, update(-10, meter, 0), { limit: 100 }));
    expect(left()).toEqual([100]);
  });
});

it('what a hold took of it that has ended by itself is not used, also before a ledger has written that down', () => {
  const place = new Place('weur');
  const rollover = { max: 10, share: 50, lasts: { months: 1 }, times: 2 } as const;
  const meter: Meter = { ...BILLING, limit: 40, rollover };
  const [january, february, march] = [0, 1, 2].map((month) => Date.UTC(2026, month, 5));
  decided(place.decide(january!, update(4, meter, 0), { limit: 40 }));
  const hold = { kind: 'open', id: 'h', lastsMs: MINUTE, orLess: false } as const;
  decided(place.decide(february!, update(6, meter, 0, { hold }), { limit: 40 }));
  const left = () => rolledOf(place, march!, meter).map(([, amount]) => amount);
  expect(left()).toEqual([5, 10]);
  place.ledger.endHolds(march!);
  expect(left()).toEqual([5, 10]);
});

it('what was rolled over of an idempotency key that another location decided first goes back to it', () => {
  const [weur, apac] = [new Place('weur'), new Place('apac')];
  const meter: Meter = { ...BILLING, limit: 10, rollover: { max: 'all', lasts: { months: 1 } } };
  const [january, february] = [Date.UTC(2026, 0, 5), Date.UTC(2026, 1, 5)];
  decided(weur.decide(january, update(4, meter, 0), { limit: 10 }));
  apac.receive(weur, january);
  const key = { text: 'order', bodyHash: 'a' };
  decided(weur.decide(february, update(5, meter, 0, { key }), { limit: 10 }));
  decided(apac.decide(february + 1000, update(5, meter, 0, { key }), { limit: 10 }));
  weur.receive(apac, february + 2000);
  apac.receive(weur, february + 2000);
  weur.receive(apac, february + 3000);
  for (const place of [weur, apac])
    expect(linesOf(place, february + 4000, meter, 0)).toMatchObject({ limit: 16, used: 5, remaining: 11 });
});

it('what was counted under a name rolls over for the customer that it is a name of', () => {
  const place = new Place('weur');
  const meter: Meter = { ...BILLING, limit: 10, rollover: { max: 'all', lasts: { months: 1 } } };
  const [january, february] = [Date.UTC(2026, 0, 5), Date.UTC(2026, 1, 5)];
  decided(place.decide(january, update(4, meter, 0), { limit: 10 }));
  const site = place.ledger.state.site!;
  for (let times = 0; times < 2; times++) {
    const alias = { identifier: 'ada', target: 'cus_ada', changed: 1, merged: 0 };
    mergeAliasUsage(place.ledger, site, nextAliasPage(place.ledger, alias, null).records);
  }
  place.restart();
  const call = {
    site,
    customer: 'cus_ada',
    now: february,
    updates: [],
    reads: [{ propertyId: PROPERTY, meter }],
  };
  const answer = place.ledger.read(call);
  const [reading] = answer.kind === 'answered' ? answer.readings : [];
  expect(reading?.rolled).toMatchObject([{ amount: 6, from: Date.UTC(2026, 0, 1) }]);
});
