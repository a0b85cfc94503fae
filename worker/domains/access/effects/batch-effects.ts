/**
 * The effects of the checks of one batch, which run at the same time: what they ask for together is read together. Ledgers are read in one
 * call for each object and list of meters, the facts of new customers in one batch of the database.
 */
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { AccessEffects } from '#engine/access/access-effects';
import type { Usage, UsageRequest } from '#engine/access/ledger-call';
import { nearestLedger } from '#worker/domains/metering/call-ledger';
import { readUsageTogether } from '#worker/domains/metering/read-usage';
import type { Env } from '#worker/env';
import { accessEffects, loadFacts } from './production-effects.ts';

/** Gathers what is asked for until `later` runs its argument, and answers it together. */
function gathered<Asked, Answer>(
  later: (work: () => void) => unknown,
  answerAll: (asked: readonly Asked[]) => Promise<readonly (Answer | PromiseLike<Answer>)[]>,
): (asked: Asked) => Promise<Answer> {
  let waiting: {
    readonly asked: Asked;
    readonly resolve: (answer: Answer | PromiseLike<Answer>) => void;
    readonly reject: (error: unknown) => void;
  }[] = [];
  const flush = () => {
    const all = waiting;
    waiting = [];
    answerAll(all.map(({ asked }) => asked)).then(
      (answers) => {
        for (const [index, { resolve }] of all.entries()) resolve(answers[index] as Answer);
      },
      (error: unknown) => {
        for (const { reject } of all) reject(error);
      },
    );
  };
  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject });
      if (waiting.length === 1) later(flush);
    });
}

/** @param snapshot of the batch's environment */
export function batchEffects(env: Env, snapshot: EnvironmentSnapshot): AccessEffects {
  const own = accessEffects(env);
  /** In a turn of the loop of its own: ledgers answer one after the other. */
  const load = gathered<{ customer: string; endsAt: number | undefined }, CustomerFacts | null>(
    (work) => setTimeout(work, 0),
    async (asked) => {
      const customers = [...new Set(asked.map(({ customer }) => customer))];
      const facts = await loadFacts(env, snapshot, customers, asked[0]?.endsAt);
      return asked.map(({ customer }) => facts.get(customer) ?? null);
    },
  );
  const read = gathered<UsageRequest, Usage>(queueMicrotask, async (asked) => {
    const groups = Map.groupBy(
      asked,
      (request) => `${nearestLedger(snapshot, request)} ${JSON.stringify(request.reads)}`,
    );
    const usages = new Map<UsageRequest, PromiseLike<Usage>>();
    for (const group of groups.values()) readGroup(env, snapshot, group, usages);
    return asked.map((request) => usages.get(request) as PromiseLike<Usage>);
  });
  return {
    ...own,
    facts: { ...own.facts, load: (_, customer, endsAt) => load({ customer, endsAt }) },
    ledger: {
      ...own.ledger,
      // What has just been loaded is sent to the ledger with the customer's own call, and entities have calls of their own.
      read: (_, request) =>
        request.facts?.loaded === undefined && request.entity === undefined
          ? read(request)
          : own.ledger.read(snapshot, request),
    },
  };
}

/** Reads that ask the same of one ledger object. Customers who are asked about twice with the same facts are read once. */
function readGroup(
  env: Env,
  snapshot: EnvironmentSnapshot,
  group: readonly UsageRequest[],
  usages: Map<UsageRequest, PromiseLike<Usage>>,
): void {
  const same = Map.groupBy(group, ({ customer, facts }) => `${facts?.version} ${customer}`);
  const firsts = [...same.values()].map(([first]) => first as UsageRequest) as [
    UsageRequest,
    ...UsageRequest[],
  ];
  const reading = readUsageTogether(env, snapshot, firsts);
  for (const [index, requests] of [...same.values()].entries()) {
    const usage = reading.then((all) => all[index] as Promise<Usage>);
    for (const request of requests) usages.set(request, usage);
  }
}
