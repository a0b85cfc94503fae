/**
 * Asks a ledger by what is known of its customer: values are resolved by what the isolate remembers, and the ledger says
 * in the same answer whether that still holds. Only where it does not is resolved again, and asked again where need be.
 */
import type { CustomerFacts, FactsInUse, FactsNews } from '#contracts/customer-facts';
import type { EnvironmentSnapshot } from '#contracts/snapshot';
import type { Warning } from '#contracts/subjects';
import { warningOf } from '#contracts/warnings';
import { openDatabase } from '#worker/db/database';
import { loadCustomerFacts } from '#worker/domains/customers/load-customer-facts';
import { rememberFacts } from '#worker/domains/customers/remember-facts';
import type { Env } from '#worker/env';
import { log } from '#worker/platform/log';

/** Each may teach the ledger or the isolate something; more than two are needed only while somebody edits the customer. */
const MAX_ROUNDS = 4;
const UNKNOWN = warningOf('customer-facts-unknown');

export interface KnownCustomer {
  readonly env: Env;
  readonly snapshot: EnvironmentSnapshot;
  /** The canonical identifier. */
  readonly customer: string;
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

export interface Question<Standing, Result> {
  resolve(facts: CustomerFacts): Standing;
  ask(standing: Standing, facts: FactsInUse | undefined): Promise<Asked<Result>>;
  /** Whether what was asked for one standing answers the other as well. */
  isAnswered(asked: Standing, now: Standing): boolean;
}

/** @param first as resolved by what the isolate remembers */
export async function askByFacts<Standing extends { readonly facts: CustomerFacts }, Result>(
  subject: KnownCustomer,
  first: Standing,
  question: Question<Standing, Result>,
): Promise<{ readonly standing: Standing; readonly result: Result }> {
  const { snapshot, customer, now, warnings } = subject;
  let standing = first;
  let learnt: FactsInUse['learnt'];
  const rounds = snapshot.hasCustomerFacts === true ? MAX_ROUNDS : 0;
  for (let round = 0; round < rounds; round++) {
    const { version } = standing.facts;
    const { result, news, isFromLedger } = await question.ask(standing, { version, learnt });
    learnt = undefined;
    if (news === undefined && result !== null) {
      if (isFromLedger) rememberFacts(snapshot.environmentId, customer, standing.facts, now);
      return { standing, result };
    }
    const facts = news?.kind === 'newer' ? news.facts : await findFacts(subject);
    if (facts === null) {
      warnings.push(UNKNOWN);
      break;
    }
    const renewed = question.resolve(facts);
    rememberFacts(snapshot.environmentId, customer, facts, now);
    if (news?.kind === 'newer' && result !== null && question.isAnswered(standing, renewed)) {
      return { standing: renewed, result };
    }
    if (news?.kind === 'unknown') learnt = { token: news.token, facts };
    standing = renewed;
  }
  const { result } = await question.ask(standing, undefined);
  if (result === null) throw new Error('A ledger that is told no facts has no objection');
  return { standing, result };
}

/** Null: the database cannot be reached. */
async function findFacts({ env, snapshot, customer }: KnownCustomer): Promise<CustomerFacts | null> {
  const { orgId, environmentId } = snapshot;
  try {
    return await loadCustomerFacts(openDatabase(env.DB), { orgId }, environmentId, customer);
  } catch (error) {
    log.warn('the facts of a customer could not be read', { environmentId, error });
    return null;
  }
}
