/**
 * The ledgers of many customers, of one environment in one data location: counts what they use and says what they have
 * used. A call is answered after the commit that it is in; an alarm tells the other locations.
 */
import { DurableObject } from 'cloudflare:workers';
import type { CustomerFacts, FactsNews } from '#contracts/customer-facts';
import type {
  CustomerRecords,
  DrainProgress,
  LedgerAdoption,
  LedgerAnswer,
  LedgerCall,
  LedgerCopyPage,
  LedgerCopyRequest,
  LedgerPush,
  LedgerPushAnswer,
  LedgerSite,
} from '#contracts/ledger';
import type { Env } from '#worker/env';
import { log } from '#worker/platform/log';
import { eventStreamStub, ledgerAt } from '../stubs.ts';
import { adoptUsage } from './carry-usage.ts';
import { isCounted } from './counted-event.ts';
import { KnownFacts } from './customer-facts.ts';
import { EventOutbox, type KeptEvent, type StreamEffects } from './event-outbox.ts';
import { givePage, hearClosingWord, receivePush } from './exchange.ts';
import { LocalLedger } from './local-ledger.ts';
import { type PeerEffects, PeerLinks } from './peer-links.ts';
import { SqliteLedgerStore } from './sqlite-ledger-store.ts';
import { TurnCommit } from './turn-commit.ts';
import { type CarryEffects, UsageCarrier } from './usage-carrier.ts';

/** Cells in memory, at some tens of octets each: a few tens of megabytes of an isolate's 128. */
const MEMORY_CELLS = 400_000;
/** How long an instance answers reads before it makes sure that it has not been replaced. */
const AUTHORITY_MS = 100;

interface Asked {
  readonly call: LedgerCall;
  /** JSON of the UpdateEvent that belongs to it. */
  readonly said: string | undefined;
  readonly news: FactsNews | undefined;
}

type LedgerEffects = PeerEffects & CarryEffects & StreamEffects;

export class Ledger extends DurableObject<Env> {
  /** Replaced by tests that break the ways to other objects. */
  effects: LedgerEffects;
  readonly store: SqliteLedgerStore;
  readonly #ledger: LocalLedger;
  readonly #links: PeerLinks;
  readonly #facts: KnownFacts;
  readonly #carrier: UsageCarrier;
  readonly #outbox: EventOutbox;
  readonly #calls: TurnCommit<Asked, string>;
  #alarmAt: number | null = null;
  #checkedAt = 0;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.store = new SqliteLedgerStore(state.storage);
    this.#facts = new KnownFacts(state.storage.sql, () => crypto.randomUUID());
    this.#ledger = new LocalLedger(
      this.store,
      (location) => `${location}/${crypto.randomUUID().slice(0, 13)}`,
      MEMORY_CELLS,
      (identifier) => this.#facts.customerOf(identifier),
    );
    this.effects = effectsOf(env);
    const effects: LedgerEffects = {
      adopt: (...carried) => this.effects.adopt(...carried),
      receive: (...asked) => this.effects.receive(...asked),
      copy: (...asked) => this.effects.copy(...asked),
      hearClosed: (...said) => this.effects.hearClosed(...said),
      missing: (...asked) => this.effects.missing(...asked),
      append: (batch) => this.effects.append(batch),
      now: () => this.effects.now(),
      random: () => this.effects.random(),
      wait: (ms) => this.effects.wait(ms),
      warn: (...said) => this.effects.warn(...said),
    };
    this.#links = new PeerLinks(this.#ledger, effects);
    this.#carrier = new UsageCarrier(this.#ledger, effects);
    this.#outbox = new EventOutbox(state.storage.sql, effects, () => this.#ledger.self.site);
    this.#calls = new TurnCommit({
      write: (asked) => this.#apply(asked),
      written: () => state.storage.sync(),
      wait: (ms) => scheduler.wait(ms),
    });
    this.#arm();
  }

  /**
   * Counts and reads for one customer. Text crosses between Worker and object for two thirds of what objects cost.
   * @param text JSON of a LedgerCall
   * @param said JSON of an UpdateEvent, where the call names its event: kept with what is counted
   * @returns JSON of a LedgerAnswer
   */
  answerText(text: string, said?: string): string | Promise<string> {
    const call = JSON.parse(text) as LedgerCall;
    const ledger = this.#ledger;
    // First: it may hear of locations that are to be copied from.
    const news = this.#newsFor(call);
    const isWhole = ledger.peersToCopy(call.customer, call.now).length === 0;
    if (news !== undefined && call.updates.length > 0) {
      return JSON.stringify({ kind: 'outdated', facts: news } satisfies LedgerAnswer);
    }
    const isName = !!call.facts?.learnt?.facts.nameOf;
    if (!isWhole || isName || !ledger.isReading(call)) return this.#answerLater({ call, said, news });
    return textOf(this.#read(call), news);
  }

  /** What is known of a customer has changed: a grant, an override. Told again or too late it does nothing. */
  tellFacts(customer: string, facts: CustomerFacts): void {
    if (!this.#ledger.self.isOpen) return;
    this.#facts.tell(customer, facts);
    if (facts.nameOf) this.#link(customer, facts.nameOf.customerId);
  }

  /** Of many customers, those that tellFacts would do something for: known ones, and those that something is stored of. */
  whoIsKnown(customers: readonly string[]): string[] {
    if (!this.#ledger.self.isOpen) return [];
    return customers.filter((customer) => this.#facts.isKnown(customer) || this.store.hasCustomer(customer));
  }

  /** A peer tells what it has counted. */
  receive(site: LedgerSite, push: LedgerPush): LedgerPushAnswer {
    const answer = receivePush(this.#ledger, site, push, this.effects.now());
    this.#arm();
    return answer;
  }

  /** A peer uses a customer for the first time. */
  copy(site: LedgerSite, request: LedgerCopyRequest): LedgerCopyPage {
    return givePage(this.#ledger, site, request);
  }

  /** The ledger of a location that was turned off has handed over all it had, and nothing of it changes any more. */
  hearClosed(site: LedgerSite, word: LedgerPush): void {
    hearClosingWord(this.#ledger, site, word);
    this.#arm();
  }

  /**
   * This location was turned on again before it was emptied: the others have counted meanwhile and did not tell, so that
   * every customer is copied again when it is next used.
   */
  rejoin(site: LedgerSite): void {
    this.#ledger.commit(() => {
      this.#ledger.hear(site);
      this.#ledger.forgetCopies();
    });
  }

  /** What was used under another name of a customer of this ledger. */
  adopt(site: LedgerSite, records: CustomerRecords): LedgerAdoption {
    const answer = adoptUsage(this.#ledger, site, records);
    this.#arm();
    return answer;
  }

  /**
   * This location was turned off: sends the others everything they may not have. To be repeated until it is drained.
   * @param site of a generation in which the location is no longer enabled; from now on calls are sent elsewhere
   */
  async drain(site: LedgerSite): Promise<DrainProgress> {
    this.#ledger.commit(() => this.#ledger.hear(site));
    if (this.#ledger.self.isOpen) return { isDrained: false, waitingFor: [] };
    this.#facts.forgetAll();
    return this.#links.drain();
  }

  /**
   * Deletes what is stored here. Of a location that was turned off the fact remains.
   * @param evenUndrained the environment is deleted: nobody needs what is here
   * @returns false: nothing was deleted, since other locations or the event stream do not have everything yet
   */
  async erase(site: LedgerSite, evenUndrained: boolean): Promise<boolean> {
    const { isDrained } = await this.drain(site);
    if (!isDrained && !evenUndrained) return false;
    if (!(await this.#outbox.flush())) return false;
    if (!evenUndrained && !(await this.#links.close())) return false;
    this.#ledger.erase();
    await this.ctx.storage.deleteAlarm();
    this.#alarmAt = null;
    return true;
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = null;
    await Promise.all([this.#links.send(), this.#carrier.carry(), this.#outbox.deliver()]);
    this.#arm();
  }

  async #answerLater(asked: Asked): Promise<string> {
    const { call, news } = asked;
    const ledger = this.#ledger;
    if (ledger.self.isNews(call.site)) ledger.commit(() => ledger.hear(call.site));
    if (ledger.peersToCopy(call.customer, call.now).length > 0) await this.#links.copy(call.customer);
    const nameOf = call.facts?.learnt?.facts.nameOf;
    if (nameOf && this.#link(call.customer, nameOf.customerId)) await this.#carrier.carryFirst();
    return ledger.isReading(call) ? textOf(this.#read(call), news) : this.#calls.add(asked);
  }

  /** @param target whose other name it is, as was just said @returns whether there is something to be carried over */
  #link(customer: string, target: string): boolean {
    if (!this.store.hasCustomer(customer)) return false;
    // Of two that were said the later may have come first.
    const known = this.#facts.customerOf(customer) ?? target;
    this.#ledger.commit(() => this.#ledger.linkTo(customer, known));
    this.#arm();
    return this.#ledger.hasUncarried;
  }

  /** A location that is turned off is told of no changes, so it says nothing of customers. */
  #newsFor({ site, customer, facts }: LedgerCall): FactsNews | undefined {
    if (facts === undefined) return undefined;
    const ledger = this.#ledger;
    if (ledger.self.isNews(site)) ledger.commit(() => ledger.hear(site));
    if (ledger.self.isOpen) return this.#facts.newsFor(customer, facts);
    this.#facts.forgetAll();
    return undefined;
  }

  #read(call: LedgerCall): LedgerAnswer {
    if (call.now - this.#checkedAt >= AUTHORITY_MS) {
      this.#checkedAt = call.now;
      this.store.touch();
      if (call.facts !== undefined) this.#facts.touch();
    }
    return this.#ledger.read(call);
  }

  #apply(asked: readonly Asked[]): string[] {
    let texts: string[] = [];
    try {
      this.#ledger.apply(
        asked.map(({ call }) => call),
        (answers) => {
          texts = answers.map((answer, index) => textOf(answer, asked[index]?.news));
          this.#outbox.keep(eventsOf(asked, answers, texts));
        },
      );
    } catch (error) {
      this.#outbox.reload();
      throw error;
    }
    this.#arm();
    return texts;
  }

  /** Sets the alarm for the next push, or question to the event stream, where it is not set for earlier. */
  #arm(): void {
    const dueAt = earlier(earlier(this.#links.dueAt(), this.#carrier.dueAt()), this.#outbox.dueAt());
    if (dueAt === null || (this.#alarmAt !== null && this.#alarmAt <= dueAt)) return;
    this.#alarmAt = dueAt;
    this.ctx.storage.setAlarm(dueAt);
  }
}

function textOf(answer: LedgerAnswer, facts: FactsNews | undefined): string {
  return JSON.stringify(facts === undefined || answer.kind !== 'answered' ? answer : { ...answer, facts });
}

function eventsOf(
  asked: readonly Asked[],
  answers: readonly LedgerAnswer[],
  texts: readonly string[],
): KeptEvent[] {
  const events: KeptEvent[] = [];
  for (const [index, { call, said }] of asked.entries()) {
    const answer = answers[index];
    if (call.event === undefined || said === undefined || answer === undefined) continue;
    if (isCounted(answer)) events.push({ name: call.event, said, answer: texts[index] ?? '' });
  }
  return events;
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

function effectsOf(env: Env): LedgerEffects {
  return {
    adopt: async (site, records) => (await ledgerAt(env, site)).adopt(site, records),
    missing: async ({ orgId, home }, ids) =>
      (await eventStreamStub(env, orgId, home)).missing(JSON.stringify(ids)),
    append: async (batch) => {
      await (await eventStreamStub(env, batch.orgId, batch.home)).append(batch);
    },
    receive: async (site, push) => (await ledgerAt(env, site)).receive(site, push),
    copy: async (site, request) => (await ledgerAt(env, site)).copy(site, request),
    hearClosed: async (site, word) => (await ledgerAt(env, site)).hearClosed(site, word),
    now: () => Date.now(),
    random: () => Math.random(),
    wait: (ms) => scheduler.wait(ms),
    warn: (message, fields) => log.warn(message, fields),
  };
}
