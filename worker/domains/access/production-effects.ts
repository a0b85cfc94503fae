/** The access pipeline's effects in the Worker: the isolate's cache, D1 and ledger objects. */
import { openDatabase } from '#worker/db/database';
import { cacheFacts, getCachedFacts } from '#worker/domains/customer-facts/customer-facts-cache';
import { loadCustomerFacts } from '#worker/domains/customer-facts/load-customer-facts';
import { callLedger } from '#worker/domains/metering/call-ledger';
import { countUsage } from '#worker/domains/metering/count-usage';
import { readUsage } from '#worker/domains/metering/read-usage';
import type { Env } from '#worker/env';
import { log } from '#worker/platform/log';
import type { AccessEffects } from './access-effects.ts';

const effectsByEnv = new WeakMap<Env, AccessEffects>();

/** Created once per isolate. */
export function accessEffects(env: Env): AccessEffects {
  let effects = effectsByEnv.get(env);
  if (effects === undefined) {
    effects = newEffects(env);
    effectsByEnv.set(env, effects);
  }
  return effects;
}

function newEffects(env: Env): AccessEffects {
  return {
    facts: {
      getCached: getCachedFacts,
      cache: cacheFacts,
      async load({ orgId, environmentId }, customer) {
        try {
          return await loadCustomerFacts(openDatabase(env.DB), { orgId }, environmentId, customer);
        } catch (error) {
          log.warn('customer facts could not be loaded', { environmentId, error });
          return null;
        }
      },
    },
    ledger: {
      read: (snapshot, request) => readUsage(env, snapshot, request),
      count: (snapshot, ...count) => countUsage(env, snapshot, ...count),
      async pushFacts(snapshot, { customer, place, isStrict, now, loaded }) {
        const facts = { version: loaded.facts.version, loaded };
        try {
          await callLedger(env, snapshot, { customer, place, isStrict, updates: [], reads: [], now, facts });
        } catch (error) {
          const { environmentId } = snapshot;
          log.warn('customer facts could not be pushed to the ledger of an alias', { environmentId, error });
        }
      },
    },
    workflows: null,
  };
}
