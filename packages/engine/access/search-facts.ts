/**
 * Decides what happens when a ledger's facts differ from those that a check used: which customer's ledger is called next,
 * and with which facts. Follows an email address to the Stripe customer that it is an alias of. If the customer's own facts
 * contradict the alias, the customer's facts win.
 */
import type { CustomerFacts, FactsUpdate, LoadedFacts } from '#contracts/internal/customer-facts';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import { activeFacts, isAliasOf } from '../entitlements/active-facts.ts';
import { NO_FACTS, UNKNOWN_FACTS } from '../entitlements/no-facts.ts';
import type { AccessEffects } from './access-effects.ts';
import type { Place } from './place.ts';

export interface FactsSubject {
  readonly snapshot: EnvironmentSnapshot;
  /** The identifier of the request, in canonical spelling. */
  readonly identifier: string;
  readonly place: Place;
  readonly isStrict: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
  /** When the call's budget ends, epoch milliseconds. */
  readonly endsAt: number | undefined;
}

/** One round of the pipeline: the ledger to call, and the facts to use. */
export interface FactsRound {
  /** Canonical: the customer that the ledger counts for. */
  readonly customer: string;
  /** Active facts only. */
  readonly facts: CustomerFacts;
  /** To be sent to the ledger. */
  readonly loaded?: LoadedFacts | undefined;
}

/** The facts of the first round. Costs one cache lookup, and none in environments without customer facts. */
export function factsFromCache(
  { facts: cache }: Pick<AccessEffects, 'facts'>,
  snapshot: EnvironmentSnapshot,
  identifier: string,
  now: number,
): FactsRound {
  const { environmentId } = snapshot;
  const cached =
    snapshot.hasCustomerFacts === true ? cache.getCached(environmentId, identifier, now) : NO_FACTS;
  const isActive = activeFacts(cached, snapshot.stripeIntegrationIds) === cached;
  if (!isActive || !cached.aliasOf) {
    return { customer: identifier, facts: isActive ? cached : NO_FACTS };
  }
  const { customerId } = cached.aliasOf;
  const target = cache.getCached(environmentId, customerId, now);
  if (target === NO_FACTS) return { customer: customerId, facts: UNKNOWN_FACTS };
  return isAliasOf(target, identifier)
    ? { customer: customerId, facts: target }
    : { customer: identifier, facts: NO_FACTS };
}

/** The facts to use without a ledger. */
export interface LastFacts extends Pick<FactsRound, 'customer' | 'facts'> {
  /** From memory, and not confirmed within the last 30 s. */
  readonly isStale: boolean;
}

export class FactsSearch {
  readonly #effects: AccessEffects;
  readonly #subject: FactsSubject;
  /** The facts in use mention an integration that the snapshot does not list. */
  #isPartlyActive = false;
  /** The database has confirmed the alias, so the customer's facts need not. */
  #isAliasLoaded = false;

  constructor(effects: AccessEffects, subject: FactsSubject) {
    this.#effects = effects;
    this.#subject = subject;
  }

  /** Facts that a ledger has confirmed are valid for longer. */
  confirm({ customer, facts }: Pick<FactsRound, 'customer' | 'facts'>): void {
    const { snapshot, now } = this.#subject;
    if (!this.#isPartlyActive) this.#effects.facts.cache(snapshot.environmentId, customer, facts, now);
  }

  /**
   * @param customer the customer of the ledger that answered
   * @param update undefined if the ledger gave no facts and did nothing
   * @returns null if the database is needed and cannot be reached
   */
  async next(customer: string, update: FactsUpdate | undefined): Promise<FactsRound | null> {
    if (update?.kind !== 'newer') return this.#load(customer, update?.token ?? '');
    const active = this.#activate(update.facts);
    // The ledger's facts come from an account that is gone. Only the database knows what replaces them.
    if (this.#isPartlyActive) {
      return (await this.#load(customer, '')) ?? { customer, facts: active };
    }
    return this.#follow({ customer, facts: active }, update.facts);
  }

  /**
   * The facts of the last day from memory, for when neither a ledger nor the database says more. Null if they are not there, are
   * void, or mention an account that is gone.
   */
  recall(): LastFacts | null {
    const { identifier } = this.#subject;
    const own = this.#recallActive(identifier);
    if (!own?.facts.aliasOf) return own;
    const target = this.#recallActive(own.facts.aliasOf.customerId);
    if (target === null) return null;
    const isStale = own.isStale || target.isStale;
    return isAliasOf(target.facts, identifier)
      ? { ...target, isStale }
      : { customer: identifier, facts: NO_FACTS, isStale };
  }

  /** The facts if no ledger answers: those in memory, or else from the database. Null if neither has them. */
  async withoutLedger(): Promise<LastFacts | null> {
    const recalled = this.recall();
    if (recalled !== null) return recalled;
    const own = await this.#loadActive(this.#subject.identifier);
    return own?.facts.aliasOf ? this.#loadActive(own.facts.aliasOf.customerId) : own;
  }

  #recallActive(customer: string): LastFacts | null {
    const { snapshot, now } = this.#subject;
    const recalled = this.#effects.facts.recall(snapshot.environmentId, customer, now);
    const isActive =
      recalled !== undefined &&
      recalled.facts.version >= (snapshot.factsEpoch ?? 0) &&
      activeFacts(recalled.facts, snapshot.stripeIntegrationIds) === recalled.facts;
    return isActive ? { ...recalled, customer } : null;
  }

  async #loadActive(customer: string): Promise<LastFacts | null> {
    const { snapshot, now, endsAt } = this.#subject;
    const facts = await this.#effects.facts.load(snapshot, customer, endsAt);
    if (facts === null) return null;
    this.#effects.facts.cache(snapshot.environmentId, customer, facts, now);
    return { customer, facts: activeFacts(facts, snapshot.stripeIntegrationIds), isStale: false };
  }

  async #load(customer: string, token: string): Promise<FactsRound | null> {
    const { snapshot, identifier, endsAt } = this.#subject;
    const facts = await this.#effects.facts.load(snapshot, customer, endsAt);
    if (facts === null) return null;
    if (customer === identifier) this.#isAliasLoaded = true;
    const active = this.#activate(facts);
    return this.#follow({ customer, facts: active, loaded: { token, facts } }, facts);
  }

  /** @param facts all facts of the round's customer, active or not */
  async #follow(round: FactsRound, facts: CustomerFacts): Promise<FactsRound | null> {
    const { snapshot, identifier, now } = this.#subject;
    const { environmentId } = snapshot;
    this.confirm({ customer: round.customer, facts });
    if (round.customer !== identifier) {
      if (this.#isAliasLoaded || isAliasOf(round.facts, identifier)) return round;
      return (await this.#load(identifier, '')) ?? this.#detach(facts.version);
    }
    const { aliasOf } = round.facts;
    if (!aliasOf) return round;
    if (round.loaded !== undefined) await this.#pushAlias(round.loaded);
    const { customerId } = aliasOf;
    const target = this.#effects.facts.getCached(environmentId, customerId, now);
    const known = isAliasOf(target, identifier) ? target : UNKNOWN_FACTS;
    return { customer: customerId, facts: known };
  }

  /** @param version of the facts that no longer contain the alias */
  #detach(version: number): FactsRound {
    const { snapshot, identifier, now } = this.#subject;
    const cached = this.#effects.facts.getCached(snapshot.environmentId, identifier, now);
    return { customer: identifier, facts: { ...cached, version, aliasOf: null } };
  }

  #activate(facts: CustomerFacts): CustomerFacts {
    const active = activeFacts(facts, this.#subject.snapshot.stripeIntegrationIds);
    this.#isPartlyActive = active !== facts;
    return active;
  }

  /** The alias's ledger merges its usage into the customer's before that is read, and does not request the facts again. */
  async #pushAlias(loaded: LoadedFacts): Promise<void> {
    const { snapshot, identifier: customer, ...call } = this.#subject;
    await this.#effects.ledger.pushFacts(snapshot, { ...call, customer, loaded });
  }
}
