/**
 * Asks a ledger by what is known of its customer: values are resolved by what the isolate remembers, and the ledger says
 * in the same answer whether that still holds. Only where it does not is resolved again, and asked again where need be.
 * The ledger of an e-mail address may say that it stands for a Stripe customer: then the customer's is asked instead, and
 * the customer's word counts if it says otherwise.
 */
import {
  type CustomerFacts,
  type FactsInUse,
  type FactsNews,
  UNHEARD_FACTS,
} from '#contracts/customer-facts';
import type { EnvironmentSnapshot } from '#contracts/snapshot';
import type { Warning } from '#contracts/subjects';
import { warningOf } from '#contracts/warnings';
import { believeFacts, isNamedBy } from '#engine/entitlements/believe-facts';
import { openDatabase } from '#worker/db/database';
import { loadCustomerFacts } from '#worker/domains/customers/load-customer-facts';
import { recallFacts, rememberFacts } from '#worker/domains/customers/remember-facts';
import { askLedger } from '#worker/domains/metering/ask-ledger';
import type { Env } from '#worker/env';
import type { Place } from '#worker/http/place';
import { log } from '#worker/platform/log';
import type { Resolve, Standing } from './recall-customer.ts';

/** Each may teach a ledger or the isolate something; more than four are needed only while somebody edits the customer. */
const MAX_ROUNDS = 8;
const UNKNOWN = warningOf('customer-facts-unknown');

export interface AskedSubject {
  readonly env: Env;
  readonly snapshot: EnvironmentSnapshot;
  /** As asked by, canonical in its spelling. */
  readonly identifier: string;
  readonly place: Place;
  /** The home location is asked, and no other. */
  readonly isStrict: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly warnings: Warning[];
}

export interface Asked<Result> {
  /** Null: nothing was done, since other facts hold. */
  readonly result: Result | null;
  readonly news: FactsNews | undefined;
  /** A ledger has answered. */
  readonly isFromLedger: boolean;
}

export interface Question<S extends Standing, Result> {
  readonly resolve: Resolve<S>;
  /** Asks the ledger of the standing's customer. */
  ask(standing: S, facts: FactsInUse | undefined): Promise<Asked<Result>>;
  /** Whether what was asked for one standing of the customer answers the other as well. */
  isAnswered(asked: S, now: S): boolean;
}

/** @param first as resolved by what the isolate remembers (recall-customer) */
export async function askByFacts<S extends Standing, Result>(
  subject: AskedSubject,
  first: S,
  question: Question<S, Result>,
): Promise<{ readonly standing: S; readonly result: Result }> {
  const { snapshot, now, warnings } = subject;
  const { environmentId } = snapshot;
  const search = new CustomerSearch(subject);
  let standing = first;
  let learnt: FactsInUse['learnt'];
  const rounds = snapshot.hasCustomerFacts === true ? MAX_ROUNDS : 0;
  for (let round = 0; round < rounds; round++) {
    const { customer, facts } = standing;
    const { result, news, isFromLedger } = await question.ask(standing, { version: facts.version, learnt });
    if (news === undefined && result !== null) {
      if (isFromLedger && !search.isPartlyBelieved) rememberFacts(environmentId, customer, facts, now);
      return { standing, result };
    }
    const found = await search.goOn(customer, news);
    if (found === null) {
      warnings.push(UNKNOWN);
      break;
    }
    const renewed = question.resolve(found.facts, found.customer);
    learnt = found.learnt;
    if (
      news?.kind === 'newer' &&
      result !== null &&
      learnt === undefined &&
      found.customer === customer &&
      question.isAnswered(standing, renewed)
    ) {
      return { standing: renewed, result };
    }
    standing = renewed;
  }
  const { result } = await question.ask(standing, undefined);
  if (result === null) throw new Error('A ledger that is told no facts has no objection');
  return { standing, result };
}

interface Found {
  /** Whose ledger is to be asked next. */
  readonly customer: string;
  /** As far as they are believed. */
  readonly facts: CustomerFacts;
  /** What that ledger is to be told along with the question. */
  readonly learnt?: FactsInUse['learnt'];
}

/** Follows an identifier to whom it stands for, by what ledgers and, where they know nothing, the database say. */
class CustomerSearch {
  readonly #subject: AskedSubject;
  /** The snapshot does not name an integration that the facts in use mention. */
  isPartlyBelieved = false;
  /** The database has said what the identifier stands for, so no customer's facts are needed to confirm it. */
  #isLookedUp = false;

  constructor(subject: AskedSubject) {
    this.#subject = subject;
  }

  /**
   * @param asked whose ledger said so
   * @param news what it said; undefined: nothing, but it answered to nothing either
   * @returns null where the database is needed and cannot be reached
   */
  async goOn(asked: string, news: FactsNews | undefined): Promise<Found | null> {
    if (news?.kind !== 'newer') return this.#lookUp(asked, news?.token ?? '');
    const believed = this.#believe(news.facts);
    // What a connected account says in place of one that is gone stands in the database alone.
    if (this.isPartlyBelieved) return (await this.#lookUp(asked, '')) ?? { customer: asked, facts: believed };
    return this.#follow(asked, news.facts, believed, undefined);
  }

  async #lookUp(customer: string, token: string): Promise<Found | null> {
    const { env, snapshot, identifier } = this.#subject;
    const { orgId, environmentId } = snapshot;
    let facts: CustomerFacts;
    try {
      facts = await loadCustomerFacts(openDatabase(env.DB), { orgId }, environmentId, customer);
    } catch (error) {
      log.warn('the facts of a customer could not be read', { environmentId, error });
      return null;
    }
    if (customer === identifier) this.#isLookedUp = true;
    return this.#follow(customer, facts, this.#believe(facts), { token, facts });
  }

  async #follow(
    customer: string,
    facts: CustomerFacts,
    believed: CustomerFacts,
    learnt: FactsInUse['learnt'],
  ): Promise<Found | null> {
    const { snapshot, identifier, now } = this.#subject;
    const { environmentId } = snapshot;
    if (!this.isPartlyBelieved) rememberFacts(environmentId, customer, facts, now);
    if (customer !== identifier) {
      if (isNamedBy(believed, identifier) || this.#isLookedUp) return { customer, facts: believed, learnt };
      return (await this.#lookUp(identifier, '')) ?? this.#standForItself(facts.version);
    }
    if (!believed.nameOf) return { customer, facts: believed, learnt };
    if (learnt !== undefined) await this.#tell(learnt);
    const { customerId } = believed.nameOf;
    const theirs = recallFacts(environmentId, customerId, now);
    return { customer: customerId, facts: isNamedBy(theirs, identifier) ? theirs : UNHEARD_FACTS };
  }

  /** @param version of the facts by which the address is no longer the customer's */
  #standForItself(version: number): Found {
    const { snapshot, identifier, now } = this.#subject;
    const own = recallFacts(snapshot.environmentId, identifier, now);
    return { customer: identifier, facts: { ...own, version, nameOf: null } };
  }

  #believe(facts: CustomerFacts): CustomerFacts {
    const believed = believeFacts(facts, this.#subject.snapshot.stripeIntegrationIds);
    this.isPartlyBelieved = believed !== facts;
    return believed;
  }

  /** So that it is not asked for nothing again, and hands over what was counted there: before the customer's is read. */
  async #tell(learnt: NonNullable<FactsInUse['learnt']>): Promise<void> {
    const { env, snapshot, identifier: customer, place, isStrict, now } = this.#subject;
    const facts = { version: learnt.facts.version, learnt };
    try {
      await askLedger(env, snapshot, { customer, place, isStrict, updates: [], reads: [], now, facts });
    } catch (error) {
      log.warn('a ledger could not be told whose name an address is', {
        environmentId: snapshot.environmentId,
        error,
      });
    }
  }
}
