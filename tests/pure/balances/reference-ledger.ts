/**
 * What should be: a list of what was used, from what, and when. Nothing is summed before it is asked for; there are no buckets, no stored
 * periods' usage, no replication, and nothing of the code that is tested. Amounts are BigInt.
 */
import type { Location } from '#contracts/public/locations';
import type { Action, Update as CalledUpdate, GrantChange } from './operations.ts';
import { least, most, sum } from './reference-amounts.ts';
import {
  answerOf,
  backAnswer,
  type Decided,
  type MeterLine,
  type MeterState,
  nothing,
  type Outcome,
} from './reference-answers.ts';
import { ALL_TIME, isIn, minuteStart, periodAt, recurring, type Span } from './reference-calendar.ts';
import type { Deed, Knowledge } from './reference-knowledge.ts';
import { ReferencePlans, type Value } from './reference-plans.ts';
import { type Rolled, rolledOver, type Seen } from './reference-rollover.ts';
import {
  type Counted,
  drawsOf,
  firstOf,
  given,
  type Part,
  type Plan,
  type ReferenceHold,
  scaled,
  type Use,
  usesOf,
} from './reference-uses.ts';
import type { MeterName, Shop } from './shop.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Usage is stored by minutes until then, by more of them later. */
const BY_MINUTE_MS = 2 * HOUR;
const QUOTA_PRIORITY = 40;
const OVERAGE = 'overage';
/** Begins the ids of entities' grants. */
const ENTITY_GRANT = 'bal_m_';

export interface ReferenceGrant {
  readonly id: string;
  readonly meter: MeterName;
  amount: bigint;
  readonly category: 'paid' | 'promotional';
  readonly startsAt: number;
  endsAt: number | null;
  priority: number;
  isFrozen: boolean;
  readonly needsPlan: boolean;
  /** Whose calls alone draw from it; null: the customer's own. */
  readonly entity: string | null;
  /** It has ended, and nobody is told of it any more. */
  isClosed: boolean;
}

/** Whether a member has one from then on. The last word of all locations counts. */
interface Seat {
  readonly since: Deed;
  readonly stamp: number;
  readonly entity: string;
  readonly isTaken: boolean;
}

/** What can be drawn from, in order. */
interface Source {
  readonly of: string | null;
  readonly amount: bigint;
  readonly endsAt: number | null;
  /** What decides the order. */
  readonly rank: readonly (number | string)[];
}

/** What a give-back may take: of which sources, and of which times. */
interface Reach {
  readonly order: readonly (string | null)[];
  /** By default the part's own period. */
  readonly spans?: readonly Span[];
}

type Update = Pick<CalledUpdate, 'meter' | 'by' | 'enforce' | 'entity' | 'ageMs'>;

interface KnownUpdate {
  readonly update: Update;
  readonly at: number;
  readonly answer: Decided;
  /** What it counted, by part. */
  readonly uses: readonly (readonly Use[])[];
  readonly since: Deed;
  givenBack: GivenBack | null;
}

interface GivenBack {
  readonly since: Deed;
  readonly by: number | null;
  readonly at: number;
  readonly answer: Decided;
}

export class ReferenceLedger {
  readonly #uses: Use[] = [];
  readonly grants: ReferenceGrant[] = [];
  readonly plans: ReferencePlans;
  readonly #seen: Seen[] = [];
  readonly #seats: Seat[] = [];
  readonly #keys = new Map<string, KnownUpdate>();
  readonly #holds: { readonly hold: ReferenceHold; uses: Use[][] }[] = [];

  /** Of grants: the most that was drawn elsewhere, unknown where something was drawn. */
  readonly #inFlight = new Map<string, bigint>();
  /** Of locations that have not heard another one for a while: what is left for them of each source. */
  readonly #shares = new Map<Location, Map<string, bigint>>();
  readonly #knowledge: Knowledge;

  constructor(shop: Shop, knowledge: Knowledge) {
    this.plans = new ReferencePlans(shop);
    this.#knowledge = knowledge;
  }

  get #here(): Location {
    return this.#knowledge.here;
  }

  // Who knows what.

  setSilence(isSilent: boolean): void {
    if (!isSilent) this.#shares.delete(this.#here);
    else if (!this.#shares.has(this.#here)) this.#shares.set(this.#here, new Map());
  }

  /** They are in memory. */
  forgetShares(): void {
    this.#shares.get(this.#here)?.clear();
  }

  #count(deed: Deed, uses: readonly Counted[]): Use[] {
    for (const { of, amount } of uses) if (of !== null && amount > 0n) this.#noteInFlight(of);
    const counted = uses.map((use) => ({ ...use, since: deed, until: null }));
    this.#uses.push(...counted);
    return counted;
  }

  /** What others have drawn of a grant that is not known here yet. */
  #noteInFlight(grant: string): void {
    const unknown = this.#uses.filter(
      (use) =>
        use.of === grant && use.entity === null && use.amount > 0n && !this.#knowledge.isKnown(use.since),
    );
    const inFlight = sum(unknown.map((use) => use.amount));
    this.#inFlight.set(grant, most(this.#inFlight.get(grant) ?? 0n, inFlight));
  }

  /** By how much more than it has was drawn of a grant, and how much that may be at most. */
  overdrawnOf({ id, meter, amount }: ReferenceGrant, now: number): { over: bigint; most: bigint } {
    return { over: this.#drawn(null, meter, id, now) - amount, most: this.#inFlight.get(id) ?? 0n };
  }

  #isThere({ since, until }: Use): boolean {
    return this.#knowledge.isKnown(since) && (until === null || !this.#knowledge.isKnown(until));
  }

  /** By what is known here. */
  #endOf({ ends }: ReferenceHold): number {
    return Math.max(
      ...ends.filter(({ since }) => this.#knowledge.isKnown(since)).map(({ expiresAt }) => expiresAt),
    );
  }

  // What the customer has.

  changeGrant(grant: ReferenceGrant, to: GrantChange, now: number): void {
    if ('priority' in to) grant.priority = to.priority;
    else if ('isFrozen' in to) grant.isFrozen = to.isFrozen;
    else {
      grant.endsAt = to.endsInMs === null ? null : now + to.endsInMs;
      grant.isClosed = false;
    }
  }

  /** At most what is neither used nor held. @returns what was taken back */
  takeBack(grant: ReferenceGrant, amount: bigint, now: number): bigint {
    const left = grant.amount - this.#drawn(null, grant.meter, grant.id, now);
    const applied = least(amount, most(0n, left));
    grant.amount -= applied;
    return applied;
  }

  // What is used.

  update(update: Update, key: string | null, now: number): Outcome {
    const known = key === null ? undefined : this.#keys.get(key);
    if (known !== undefined && now - known.at < DAY)
      return this.#knowledge.isKnown(known.since) ? { ...known.answer, replayed: true } : 'skip';
    const parts = this.#partsOf(update, now);
    const minute = minuteStart(now - update.ageMs);
    if (update.by < 0) return this.#giveBack(update, parts, key, now);
    const plans = this.#plansOf(parts, BigInt(update.by), now);
    const accepted = !update.enforce || parts.every((part, index) => this.#fits(part, plans[index]!, now));
    const since = this.#knowledge.newDeed();
    this.#note(since, update.meter, now);
    const uses = plans.map((plan, index) =>
      this.#count(since, accepted ? usesOf(parts[index]!, plan, minute, null) : []),
    );
    this.#takeShares(parts, uses, now);
    const answer = answerOf(parts, plans, accepted);
    if (key !== null) this.#keep(key, { update, at: now, answer, uses, since });
    return answer;
  }

  /** A key that is used again after a day has been given back if it was within a day. */
  #keep(key: string, known: Omit<KnownUpdate, 'givenBack'>): void {
    this.#keys.set(key, { ...known, givenBack: this.#keys.get(key)?.givenBack ?? null });
  }

  /** The newest first; of a minute, what would be drawn last. */
  #giveBack(update: Update, parts: readonly Part[], key: string | null, now: number): Outcome {
    const found: ReturnType<ReferenceLedger['newest']>[] = [];
    for (const [index, part] of parts.entries()) {
      const amount = index === 0 ? BigInt(-update.by) : -scaled(-given(found[0]!), part.thousandths);
      const owner = part.entity === null ? undefined : found.at(-1);
      found.push(this.#newestOf(part, amount, now - update.ageMs, now, owner?.back));
    }
    if (found.some(({ isOld }) => isOld)) return 'skip';
    const since = this.#knowledge.newDeed();
    this.#note(since, update.meter, now);
    const uses = found.map(({ back }) => this.#count(since, back));
    this.#takeShares(parts, uses, now);
    const answer: Decided = {
      ...{ accepted: true, replayed: false },
      parts: parts.map(({ entity, meter }, index) =>
        backAnswer(entity, meter, uses[index]!, found[index]!.lost),
      ),
    };
    if (key !== null) this.#keep(key, { update, at: now, answer, uses: [], since });
    return answer;
  }

  /** First what the caller's grants have paid, which is found on its account; that is given back on both. @param owner of an entity's part */
  #newestOf(part: Part, amount: bigint, at: number, now: number, owner?: readonly Counted[]) {
    const { meter, value, limit, caller, entity } = part;
    const isOwn = (of: string | null) => this.#isEntitys(of);
    if (owner !== undefined) {
      const paid = owner.filter(({ of }) => isOwn(of)).map((use) => ({ ...use, entity }));
      const rest = this.newest(part, most(0n, amount + sum(paid.map((use) => use.amount))), at, now, {
        order: [null],
      });
      return { ...rest, back: [...paid, ...rest.back] };
    }
    const order = this.#orderOf(null, meter, value, now, caller);
    if (limit === null || !order.some(isOwn)) return this.newest(part, amount, at, now, { order });
    const spans = [value, limit.value].map((each) => this.#spanOf(each, at));
    const first = this.newest(limit, amount, at, now, { order, spans });
    const paid = first.back.filter(({ of }) => isOwn(of)).map((use) => ({ ...use, entity: null }));
    const left = amount + sum(paid.map((use) => use.amount));
    const rest = this.newest(part, left, at, now, { order: order.filter((of) => !isOwn(of)) });
    return { back: [...paid, ...rest.back], lost: rest.lost, isOld: first.isOld || rest.isOld };
  }

  #spanOf(value: Value, at: number): Span {
    return value.state === 'metered' ? periodAt(value.period, value.cycle, at) : ALL_TIME;
  }

  #isEntitys(of: string | null): boolean {
    return of?.startsWith(ENTITY_GRANT) === true;
  }

  /** What a give-back removes. @param at the instant whose period it is limited to */
  newest(
    { entity, meter, value }: Part,
    amount: bigint,
    at: number,
    now: number,
    { order, spans = [this.#spanOf(value, at)] }: Reach,
  ) {
    const isOthers = ({ of }: Use) => this.#isEntitys(of) && !order.includes(of);
    const own = this.#uses.filter(
      (use) => use.entity === entity && use.meter === meter && this.#isThere(use) && !isOthers(use),
    );
    const minutes = [
      ...new Set(own.filter((use) => spans.every((span) => isIn(use.at, span))).map((use) => use.at)),
    ].sort((one, other) => other - one);
    const back: Counted[] = [];
    let [rest, lost, isOld] = [amount, 0n, own.some((use) => this.#isOwed(own, use))];
    for (const minute of minutes) {
      if (rest === 0n) break;
      const free = own.filter((use) => use.at === minute && use.hold === null);
      let share = least(rest, sum(free.map((use) => use.amount)));
      if (share <= 0n) continue;
      rest -= share;
      isOld ||= this.#isStoredTogether(own, minute, now);
      for (const of of order.toReversed()) {
        const has = sum(free.filter((use) => use.of === of).map((use) => use.amount));
        const part = least(share, most(0n, has));
        if (part === 0n) continue;
        back.push({ entity, meter, at: minute, of, amount: -part, hold: null });
        share -= part;
      }
      lost += share;
    }
    return { back, lost, isOld };
  }

  /** Two locations have given back the same: which usage a third one gives back then depends on every window. */
  #isOwed(own: readonly Use[], { at, of }: Use): boolean {
    return sum(own.filter((use) => use.at === at && use.of === of).map((use) => use.amount)) < 0n;
  }

  /** Usage of several sources in one day, of which some minutes may be one by now. */
  #isStoredTogether(own: readonly Use[], minute: number, now: number): boolean {
    if (now - minute < BY_MINUTE_MS) return false;
    const day = Math.floor(minute / DAY);
    const sources = new Set(own.filter((use) => Math.floor(use.at / DAY) === day).map((use) => use.of));
    return sources.size > 1;
  }

  /** What the update under a key counted, or a part of it. */
  giveBackOf(key: string, by: number | null, now: number): Outcome {
    const found = this.#keys.get(key);
    const known = found !== undefined && this.#knowledge.isKnown(found.since) ? found : undefined;
    const back = known?.givenBack;
    if (back != null && now - back.at < DAY && !this.#knowledge.isKnown(back.since)) return 'skip';
    if (known !== undefined && back !== null && back !== undefined && now - back.at < DAY)
      return back.by === by ? { ...back.answer, replayed: true } : 'conflict';
    const counted = known === undefined ? 0n : sum((known.uses[0] ?? []).map((use) => use.amount));
    if (known === undefined || now - known.at >= DAY || counted <= 0n) return 'nothing-to-give-back';
    const amount = by === null ? counted : least(BigInt(-by), counted);
    const minute = minuteStart(known.at - known.update.ageMs);
    if (now - minute >= BY_MINUTE_MS && this.#isTouched(minute)) return 'skip';
    let owner: readonly Counted[] = [];
    const { entity: caller } = known.update;
    const parts = known.uses.map((uses, index) => {
      const { entity, meter } = known.answer.parts[index]!;
      const all = sum(uses.map((use) => use.amount));
      const wanted = (all * amount) / counted;
      const here = this.#uses.filter(
        (use) =>
          use.entity === entity &&
          use.meter === meter &&
          use.at === minute &&
          use.hold === null &&
          this.#isThere(use),
      );
      const value = entity === null ? this.#value(meter, now, caller) : this.#entityValue(meter, now, caller);
      const order =
        entity === null
          ? this.#withGivers(this.#orderOf(null, meter, value, now, caller), meter, now)
          : [null];
      // What it took of each, as far as it is still there.
      const leftOf = (of: string | null) => {
        const [own, now] = [uses, here].map((list) =>
          sum(list.filter((use) => use.of === of).map((use) => use.amount)),
        );
        return most(0n, least(own!, now!));
      };
      const given: Counted[] =
        entity === null
          ? []
          : owner.filter(({ of }) => this.#isEntitys(of)).map((use) => ({ ...use, entity }));
      let rest = most(0n, wanted + sum(given.map((use) => use.amount)));
      for (const of of order.toReversed()) {
        const part = least(rest, leftOf(of));
        if (part === 0n) continue;
        given.push({ entity, meter, at: minute, of, amount: -part, hold: null });
        rest -= part;
      }
      owner = given;
      return { entity, meter, value, given, lost: wanted - -sum(given.map((use) => use.amount)) };
    });
    const since = this.#knowledge.newDeed();
    this.#note(since, known.update.meter, now);
    const uses = parts.map(({ given }) => this.#count(since, given));
    this.#takeShares(parts, uses, now);
    const answer: Decided = {
      ...{ accepted: true, replayed: false },
      parts: parts.map(({ entity, meter, given, lost }) => backAnswer(entity, meter, given, lost)),
    };
    known.givenBack = { since, by, at: now, answer };
    return answer;
  }

  /** Whoever calls: what any entity's grant has paid goes back to it. */
  #withGivers(order: (string | null)[], meter: MeterName, now: number): (string | null)[] {
    const givers = this.grants.filter(
      (each) => each.meter === meter && each.entity !== null && !each.isClosed,
    );
    const more = givers.filter((each) => isActive(each, now) && !order.includes(each.id));
    return [...order, ...more.map(({ id }) => id)];
  }

  /** Something of the day was given back, of minutes that may be one by now. */
  #isTouched(minute: number): boolean {
    const day = Math.floor(minute / DAY);
    return this.#uses.some((use) => use.amount < 0n && Math.floor(use.at / DAY) === day);
  }

  /** What is above quota and grants becomes the grant's, the newest first, and stays where it was used. */
  payOverage({ id, meter, amount }: ReferenceGrant, now: number): Outcome {
    const value = this.#value(meter, now, null);
    const isTheirs = this.attachedGrants(meter, null).some((each) => each.id === id);
    if (value.state !== 'metered' || !isTheirs) return 'skip';
    const part = {
      ...{ entity: null, meter, value, thousandths: 1000n, enforce: false },
      ...{ caller: null, limit: null },
    };
    const over = this.#takenOf(null, null, meter, value, now) - value.limit;
    let rest = least(over, amount - this.#drawn(null, meter, id, now));
    const all = sum(this.#counted(null, meter, now).map((use) => use.amount));
    const found = this.newest(part, rest <= 0n ? 0n : all, now, now, { order: [null] });
    if (found.isOld) return 'skip';
    const paid: Counted[] = [];
    for (const each of found.back) {
      const share = least(rest, -each.amount);
      if (share <= 0n) break;
      paid.push({ ...each, amount: -share }, { ...each, of: id, amount: share });
      rest -= share;
    }
    const since = this.#knowledge.newDeed();
    this.#noteOne(since, meter, now);
    const uses = this.#count(since, paid);
    this.#takeShares([part], [uses], now);
    const draws = drawsOf(paid);
    return {
      ...{ accepted: true, replayed: false },
      parts: [{ entity: null, meter, applied: draws[id] ?? 0n, draws, lost: 0n }],
    };
  }

  // What is held.

  hold(
    { meter, amount, orLess, lastsMs, entity }: Omit<Extract<Action, { kind: 'hold' }>, 'kind'>,
    now: number,
  ): Outcome {
    const parts = this.#partsOf({ meter, entity, enforce: true }, now);
    const plansOf = (by: bigint) => this.#plansOf(parts, by, now);
    const isFitting = (by: bigint) =>
      plansOf(by).every((plan, index) => this.#fits(parts[index]!, plan, now));
    let by = BigInt(amount);
    // It asks for what is left of all, whether or not it is needed.
    if (orLess) for (const part of parts) if (part.value.state === 'metered') this.#overageLeft(part, now);
    while (orLess && by > 1n && !isFitting(by)) by -= 1n;
    const plans = plansOf(by);
    const accepted = isFitting(by);
    const since = this.#knowledge.newDeed();
    this.#note(since, meter, now);
    const answer = answerOf(parts, plans, accepted);
    if (!accepted) return answer;
    const name = `hold ${this.#holds.length}`;
    const expiresAt = now + lastsMs;
    const ends = [{ since, expiresAt }];
    const costs = this.plans.costsOf(meter);
    const hold: ReferenceHold = {
      ...{ name, meter, entity, by: since.by, costs, amount: by, ends, settled: null },
    };
    const uses = plans.map((plan, index) =>
      this.#count(since, usesOf(parts[index]!, plan, minuteStart(now), hold)),
    );
    this.#takeShares(parts, uses, now);
    this.#holds.push({ hold, uses });
    return { ...answer, hold: { amount: by, expiresAt } };
  }

  get holdCount(): number {
    return this.#holds.length;
  }

  /** And where it can be changed. */
  holdAt(index: number): Pick<ReferenceHold, 'meter' | 'entity'> & { readonly place: Location } {
    const { hold } = this.#holds[index]!;
    return { ...hold, place: this.#knowledge.placeOf(hold.by) };
  }

  /** Books what is over: a disabled location's in the home location. */
  endHolds(now: number): void {
    for (const { hold } of this.#holds) {
      const isOver = hold.settled === null && this.#endOf(hold) <= now;
      if (isOver && this.#knowledge.placeOf(hold.by) === this.#here) hold.by = this.#here;
    }
  }

  // What other names have counted.

  /** In all, also what was given back; null: nothing. */
  get oldestUse(): number | null {
    return this.#uses.length === 0 ? null : Math.min(...this.#uses.map(({ at }) => at));
  }

  /** Everybody knows all of it, and it was the customer's all the time. */
  absorb(other: ReferenceLedger): void {
    const since = { by: this.#here, number: 0 };
    this.#uses.push(...other.#uses.map((use) => ({ ...use, since })));
    this.#seen.push(...other.#seen.map((seen) => ({ ...seen, since })));
    for (const [key, known] of other.#keys) {
      const { givenBack } = known;
      this.#keys.set(key, { ...known, since, givenBack: givenBack && { ...givenBack, since } });
    }
  }

  extend(index: number, amount: bigint, lastsMs: number, now: number): Outcome {
    const known = this.#holds[index]!;
    const { hold } = known;
    if (hold.settled !== null || this.#endOf(hold) <= now) return 'hold-over';
    const parts = this.#heldParts(known, true, now);
    const plans = this.#plansOf(parts, amount, now);
    const accepted = parts.every((part, each) => amount === 0n || this.#fits(part, plans[each]!, now));
    const since = this.#knowledge.newDeed();
    this.#note(since, hold.meter, now);
    const answer = answerOf(parts.slice(0, 1), plans, accepted);
    if (accepted) {
      hold.amount += amount;
      hold.by = since.by;
      hold.ends.push({ since, expiresAt: now + lastsMs });
      const more = plans.map((plan, each) =>
        this.#count(since, usesOf(parts[each]!, plan, minuteStart(now), hold)),
      );
      this.#takeShares(parts, more, now);
      for (const [each, uses] of more.entries()) known.uses[each]!.push(...uses);
    }
    return { ...answer, hold: { amount: hold.amount, expiresAt: this.#endOf(hold) } };
  }

  settle(index: number, amount: bigint, onExcess: 'reject' | 'cap' | 'overflow', now: number): Outcome {
    const known = this.#holds[index]!;
    const { hold } = known;
    if (hold.settled !== null) {
      const isSame =
        hold.settled.amount === amount ||
        (onExcess === 'cap' && hold.settled.amount === least(amount, hold.amount));
      return isSame ? { ...hold.settled.answer, replayed: true } : 'hold-settled';
    }
    const expiresAt = this.#endOf(hold);
    if (expiresAt + DAY <= now) return 'hold-over';
    const said = { amount: hold.amount, expiresAt };
    const since = this.#knowledge.newDeed();
    if (amount > hold.amount && onExcess === 'reject') {
      this.#note(since, hold.meter, now);
      return { accepted: false, replayed: false, parts: [nothing(hold)], hold: said };
    }
    const used = onExcess === 'cap' ? least(amount, hold.amount) : amount;
    const parts = this.#heldParts(known, false, now);
    const isOver = expiresAt <= now;
    // All of it goes first: what one part gives back may be what another one needs.
    const kept = known.uses.map((uses, each) =>
      isOver ? [] : firstOf(uses, scaled(used, parts[each]!.thousandths)),
    );
    const excessOf = (part: Part, each: number) =>
      most(0n, scaled(used, part.thousandths) - sum(kept[each]!.map((use) => use.amount)));
    const plans = this.#plansBy(parts, excessOf, now);
    const excess = plans.map((plan, each) => usesOf(parts[each]!, plan, minuteStart(now), null));
    const back = known.uses.map((uses, each) => [
      ...(isOver ? [] : uses.map((use) => ({ ...use, amount: -use.amount }))),
      ...kept[each]!,
    ]);
    this.#takeShares(parts, back, now);
    this.#takeShares(parts, excess, now);
    for (const use of known.uses.flat()) use.until = since;
    const all = kept.map((uses, each) =>
      this.#count(since, [...uses.map((use) => ({ ...use, hold: null })), ...excess[each]!]),
    );
    this.#note(since, hold.meter, now);
    const answer: Decided = {
      ...{ accepted: true, replayed: false },
      parts: [{ ...nothing(hold), applied: used, draws: drawsOf(all[0]!) }],
      hold: { ...said, released: most(0n, hold.amount - used) },
    };
    hold.settled = { amount: used, answer };
    hold.by = since.by;
    return answer;
  }

  /** As they were when the hold was made, with today's limits. */
  #heldParts(
    { hold, uses }: { hold: ReferenceHold; uses: readonly (readonly Use[])[] },
    enforce: boolean,
    now: number,
  ): Part[] {
    const { meter, entity, costs } = hold;
    const parts = this.#partsOf({ meter, entity, enforce }, now, costs);
    if (parts.length !== uses.length) throw new Error('A meter counts on other accounts than before');
    return parts;
  }

  // How it is decided.

  #partsOf(
    { meter, entity, enforce }: Pick<Update, 'meter' | 'entity' | 'enforce'>,
    now: number,
    costs = this.plans.costsOf(meter),
  ): Part[] {
    const partsOf = (of: MeterName, thousandths: bigint): Part[] => {
      const value = this.#value(of, now, entity);
      const own = { entity: null, meter: of, value, thousandths, enforce, caller: entity, limit: null };
      if (entity === null || !this.plans.limitsEntities(of)) return [own];
      const limit = { ...own, entity, value: this.#entityValue(of, now, entity) };
      return [{ ...own, limit }, limit];
    };
    return [...partsOf(meter, 1000n), ...(costs === null ? [] : partsOf('credits', costs))];
  }

  #value(meter: MeterName, now: number, caller: string | null): Value {
    return this.plans.valueOf(meter, now, this.activeGrants(meter, now, caller).length > 0);
  }

  #entityValue(meter: MeterName, now: number, caller: string | null): Value {
    return this.plans.entityValueOf(this.#value(meter, now, caller));
  }

  #hasSeat({ entity, value }: Pick<Part, 'entity' | 'value'>): boolean {
    return !value.needsSeat || entity === null || this.#seatOf(entity)?.isTaken === true;
  }

  /** The last word that is known here. */
  #seatOf(entity: string): Seat | undefined {
    return this.#seats
      .filter((each) => each.entity === entity && this.#knowledge.isKnown(each.since))
      .sort((one, other) => other.stamp - one.stamp || (one.since.by < other.since.by ? 1 : -1))[0];
  }

  seat(entity: string, isTaken: boolean, now: number): void {
    const stamp = Math.max(now, (this.#seatOf(entity)?.stamp ?? 0) + 1);
    this.#seats.push({ since: this.#knowledge.newDeed(), stamp, entity, isTaken });
  }

  #plansOf(parts: readonly Part[], by: bigint, now: number): Plan[] {
    return this.#plansBy(parts, (part) => scaled(by, part.thousandths), now);
  }

  /** What a customer's part draws from the caller's grants, the caller's account does. */
  #plansBy(parts: readonly Part[], amountOf: (part: Part, index: number) => bigint, now: number): Plan[] {
    const plans: Plan[] = [];
    for (const [index, part] of parts.entries()) {
      const amount = amountOf(part, index);
      plans.push(part.entity === null ? this.#draw(part, amount, now) : this.#same(part, plans.at(-1)!, now));
    }
    return plans;
  }

  #same(part: Part, { amount, taken }: Plan, now: number): Plan {
    const own = taken.map(([of, share]): [string | null, bigint] => [this.#isEntitys(of) ? of : null, share]);
    if (part.value.state !== 'metered') return { amount, taken: own, overage: 0n };
    const onQuota = sum(own.filter(([of]) => of === null).map(([, share]) => share));
    const left = amount === 0n ? 0n : most(0n, this.#leftOf(part, null, part.value.limit, now));
    return { amount, taken: own, overage: most(0n, onQuota - left) };
  }

  /** From which sources an amount is taken: unit by unit, of the first that has one and is the caller's or within the caller's limit. */
  #draw(part: Part, amount: bigint, now: number): Plan {
    const { meter, value, caller, limit } = part;
    if (value.state !== 'metered') return { amount, taken: [[null, amount]], overage: 0n };
    const sources = this.#sources(null, meter, value, now, caller);
    const isLimited =
      limit?.value.state === 'metered' &&
      (sources.length > 1 || this.attachedGrants(meter, caller).length > 0);
    let own = isLimited ? most(0n, this.#leftOf(limit, null, limit.value.limit, now)) : null;
    const shares = sources.map(() => 0n);
    let rest = amount;
    for (const isWithin of [true, false])
      for (const [index, source] of sources.entries()) {
        if (rest === 0n) break;
        const left = this.#leftOf(part, source.of, source.amount, now) - shares[index]!;
        const isFree = this.#isEntitys(source.of) || !isWithin || own === null;
        const share = least(rest, most(0n, isFree ? left : least(left, own!)));
        shares[index] = shares[index]! + share;
        rest -= share;
        if (own !== null && !this.#isEntitys(source.of)) own = most(0n, own - share);
      }
    const taken = sources.map(({ of }, index): [string | null, bigint] => [of, shares[index]!]);
    // What is above all of them counts on the quota.
    return { amount, taken: [...taken, [null, rest]], overage: rest };
  }

  /** In an outage, what is enforced takes at most the location's part of what was left when it first asked. */
  #leftOf({ entity, meter, value, enforce }: Part, of: string | null, amount: bigint, now: number): bigint {
    const left = amount - this.#takenOf(of, entity, meter, value, now);
    const shares = this.#shares.get(this.#here);
    if (shares === undefined || !enforce || value.overage === null) return left;
    const name = this.#shareName(entity, meter, value, of, now);
    const share = shares.get(name) ?? most(0n, left) / BigInt(this.#knowledge.locations);
    shares.set(name, share);
    return least(left, share);
  }

  /** How much more may be used above all sources. Null: any amount. */
  #overageLeft({ entity, meter, value }: Part, now: number): bigint | null {
    if (value.overage === null || value.overage === 0n) return value.overage;
    const over = most(0n, this.#takenOf(null, entity, meter, value, now) - value.limit);
    const left = most(0n, value.overage - over);
    const shares = this.#shares.get(this.#here);
    if (shares === undefined) return left;
    const name = this.#shareName(entity, meter, value, OVERAGE, now);
    const share = shares.get(name) ?? left / BigInt(this.#knowledge.locations);
    shares.set(name, share);
    return least(left, share);
  }

  #fits(part: Part, { amount, overage }: Plan, now: number): boolean {
    const { state } = part.value;
    if (amount <= 0n) return true;
    if (!this.#hasSeat(part)) return false;
    if (state !== 'metered') return state === 'on';
    const left = overage === 0n ? null : this.#overageLeft(part, now);
    return left === null || overage <= left;
  }

  #shareName(entity: string | null, meter: MeterName, value: Value, of: string | null, now: number): string {
    const isOfPeriod = (of === null || of === OVERAGE) && value.state === 'metered';
    const until = isOfPeriod ? periodAt(value.period, value.cycle, now).to : null;
    return JSON.stringify([entity, meter, of, until]);
  }

  /** What was taken, or given back, is no longer the location's share, or is again. */
  #takeShares(
    parts: readonly Pick<Part, 'entity' | 'meter' | 'value'>[],
    uses: readonly (readonly Counted[])[],
    now: number,
  ): void {
    const shares = this.#shares.get(this.#here);
    if (shares === undefined) return;
    for (const [index, { entity, meter, value }] of parts.entries()) {
      const sources = new Set(uses[index]!.map(({ of }) => of));
      for (const source of sources) {
        const take = (of: string | null, amount: bigint) => {
          const name = this.#shareName(entity, meter, value, of, now);
          const share = shares.get(name);
          if (share === undefined) return 0n;
          shares.set(name, most(0n, share - amount));
          return most(0n, amount - share);
        };
        const amount = sum(uses[index]!.filter(({ of }) => of === source).map((use) => use.amount));
        const beyond = take(source, amount);
        if (source === null && beyond > 0n) take(OVERAGE, beyond);
      }
    }
  }

  #takenOf(of: string | null, entity: string | null, meter: MeterName, value: Value, now: number): bigint {
    if (of !== null) return this.#drawn(entity, meter, of, now);
    const span = periodAt(value.period, value.cycle, now);
    const uses = this.#counted(entity, meter, now).filter((use) => isIn(use.at, span));
    const all = sum(uses.map((use) => use.amount));
    const drawn = sum(uses.filter((use) => use.of !== null).map((use) => use.amount));
    // What two locations have given back of the same is no credit.
    return most(0n, most(0n, all) - drawn);
  }

  #drawn(entity: string | null, meter: MeterName, grant: string, now: number): bigint {
    return most(
      0n,
      sum(
        this.#counted(entity, meter, now)
          .filter((use) => use.of === grant)
          .map((use) => use.amount),
      ),
    );
  }

  /** Without what was held by holds that have ended by the clock. */
  #counted(entity: string | null, meter: MeterName, now: number): Use[] {
    return this.#uses.filter(
      (use) =>
        use.entity === entity &&
        use.meter === meter &&
        this.#isThere(use) &&
        (use.hold === null || this.#endOf(use.hold) > now),
    );
  }

  #orderOf(
    entity: string | null,
    meter: MeterName,
    value: Value,
    now: number,
    caller: string | null,
  ): (string | null)[] {
    if (value.state !== 'metered') return [null];
    return this.#sources(entity, meter, value, now, caller).map(({ of }) => of);
  }

  #sources(
    entity: string | null,
    meter: MeterName,
    value: Value,
    now: number,
    caller: string | null,
  ): Source[] {
    const { to: quotaEndsAt } = periodAt(value.period, value.cycle, now);
    const endOf = (endsAt: number | null) => endsAt ?? Number.POSITIVE_INFINITY;
    const quota: Source = {
      ...{ of: null, amount: value.limit, endsAt: quotaEndsAt },
      rank: [QUOTA_PRIORITY, endOf(quotaEndsAt), 0, 0, ''],
    };
    const active = this.activeGrants(meter, now, caller).filter(
      (each) => entity === null || each.entity !== null,
    );
    const grants = active.map(
      ({ id, amount, endsAt, priority, category, startsAt, entity: whose }): Source => ({
        ...{ of: id, amount, endsAt },
        rank: [
          whose === null ? priority : priority - 0.5,
          endOf(endsAt),
          category === 'paid' ? 2 : 1,
          startsAt,
          id,
        ],
      }),
    );
    if (entity !== null) return [quota, ...grants].sort(byRank);
    const rolled = this.#rolled(meter, value, now).map(
      ({ id, amount, startsAt, endsAt }): Source => ({
        ...{ of: id, amount, endsAt },
        rank: [QUOTA_PRIORITY, endOf(endsAt), -1, startsAt, id],
      }),
    );
    return [quota, ...grants, ...rolled].sort(byRank);
  }

  activeGrants(meter: MeterName, now: number, caller: string | null): ReferenceGrant[] {
    return this.attachedGrants(meter, caller).filter((each) => isActive(each, now));
  }

  /** Also those that cannot be drawn from now. */
  attachedGrants(meter: MeterName, caller: string | null): ReferenceGrant[] {
    const isBought = this.plans.isBought(meter);
    return this.grants.filter(
      (each) =>
        each.meter === meter &&
        !each.isClosed &&
        (isBought || !each.needsPlan) &&
        (each.entity === null || each.entity === caller),
    );
  }

  /** Of the meter and of the one that pays for it. */
  #note(since: Deed, meter: MeterName, now: number): void {
    this.#noteOne(since, meter, now);
    if (this.plans.costsOf(meter) !== null) this.#noteOne(since, 'credits', now);
  }

  /** Writes down the limit of a period in which something is decided, if the meter rolls over and nobody has said so yet. */
  #noteOne(since: Deed, meter: MeterName, now: number): void {
    const { state, rollover, period, cycle, limit } = this.#value(meter, now, null);
    if (state !== 'metered' || rollover === null) return;
    const { from, to } = recurring(period, cycle, now);
    const known = this.#seenOf(meter).find((other) => other.from === from);
    if (known?.last === limit && known.to === to) return;
    const stamp = Math.max(now, (known?.stamp ?? 0) + 1);
    this.#seen.push({ since, stamp, meter, from, to, first: known?.first ?? limit, last: limit });
  }

  /** The last word about each period that is known here, the latest period first. */
  #seenOf(meter: MeterName): Seen[] {
    const last = new Map<number, Seen>();
    for (const each of this.#seen) {
      if (each.meter !== meter || !this.#knowledge.isKnown(each.since)) continue;
      const other = last.get(each.from);
      const isLater =
        other === undefined ||
        (each.stamp === other.stamp ? each.since.by > other.since.by : each.stamp > other.stamp);
      if (isLater) last.set(each.from, each);
    }
    return [...last.values()].sort((one, other) => other.from - one.from);
  }

  #rolled(meter: MeterName, value: Value, now: number): readonly Rolled[] {
    if (value.state !== 'metered' || value.rollover === null) return [];
    return rolledOver({ meter, value, seen: this.#seenOf(meter) }, this.#counted(null, meter, now), now);
  }

  // What is answered.

  stateOf(meter: MeterName, entity: string | null, now: number): MeterState {
    const value = this.#value(meter, now, entity);
    const { perEntity } = value;
    const own = this.#stateOn(null, meter, value, now, entity);
    if (entity === null || perEntity === null || perEntity === undefined) return { ...own, entity: null };
    const each = this.plans.entityValueOf(value);
    const hasSeat = this.#hasSeat({ entity, value: each });
    const state = this.#stateOn(entity, meter, each, now, entity);
    return { ...own, entity: { ...state, ...(!hasSeat && { remaining: 0n }), hasSeat } };
  }

  #stateOn(
    entity: string | null,
    meter: MeterName,
    value: Value,
    now: number,
    caller: string | null,
  ): Omit<MeterState, 'entity'> {
    const heldOf = (uses: readonly Use[]) =>
      sum(uses.filter((use) => use.hold !== null).map((use) => use.amount));
    const counted = this.#counted(entity, meter, now);
    if (value.state !== 'metered') {
      const all = most(0n, sum(counted.map((use) => use.amount)));
      const held = least(all, heldOf(counted));
      const used = all - held;
      return {
        state: value.state,
        used,
        held,
        limit: 0n,
        remaining: 0n,
        overage: 0n,
        overageLimit: 0,
        resetsAt: null,
        lines: [],
      };
    }
    const span = periodAt(value.period, value.cycle, now);
    const lines = this.#sources(entity, meter, value, now, caller).map(
      ({ of, amount, endsAt }): MeterLine => {
        const uses = counted.filter((use) => use.of === of && (of !== null || isIn(use.at, span)));
        const taken = least(amount, this.#takenOf(of, entity, meter, value, now));
        const held = least(taken, heldOf(uses));
        return { of, amount, used: taken - held, held, remaining: amount - taken, endsAt };
      },
    );
    const total = (of: 'amount' | 'used' | 'held' | 'remaining') => sum(lines.map((line) => line[of]));
    const onQuota = this.#takenOf(null, entity, meter, value, now);
    const overage = most(0n, onQuota - value.limit);
    // Some of what is above a quota that has become smaller may be held.
    const ofQuota = counted.filter((use) => use.of === null && isIn(use.at, span));
    const heldAbove = least(onQuota, heldOf(ofQuota)) - (lines.find((line) => line.of === null)?.held ?? 0n);
    const [used, held] = [total('used') + overage - heldAbove, total('held') + heldAbove];
    return {
      ...{ state: 'metered', limit: total('amount'), used, held },
      ...{ remaining: total('remaining'), overage, resetsAt: span.to, lines },
      overageLimit: value.overage === null ? null : Number(value.overage),
    };
  }
}

function isActive({ startsAt, endsAt, isFrozen }: ReferenceGrant, now: number): boolean {
  return startsAt <= now && (endsAt === null || endsAt > now) && !isFrozen;
}

function byRank({ rank: one }: Source, { rank: other }: Source): number {
  for (const [index, each] of one.entries()) {
    if (each === other[index]) continue;
    return each < (other[index] as typeof each) ? -1 : 1;
  }
  return 0;
}
