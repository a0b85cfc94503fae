/** How the fake server decides: with grants, overrides, balances, billing periods, and what rolls over. */
import { anchorWindows } from '#engine/entitlements/anchor-windows';
import { applyFacts } from '#engine/entitlements/apply-facts';
import { factsForEntity } from '#engine/entitlements/facts-for-entity';
import { Periods } from '#engine/ledger/periods';
import { notePeriods, withRolled } from '#engine/ledger/rolling-update';
import { explainCheck } from './explain-check.ts';
import { type Deciding, ENVIRONMENT } from './fake-api.ts';
import { noteUsage } from './fake-ledger.ts';

export const DECIDING: Deciding = {
  resolve(prepared, identity, facts, now, entity) {
    const theirs = factsForEntity(facts, entity);
    const { resolution, until } = applyFacts(prepared, identity, theirs, ENVIRONMENT, now);
    return { resolution: anchorWindows(resolution, theirs, ENVIRONMENT, now), until };
  },
  count(customer, update, now) {
    const { meters } = customer;
    const outcome = customer.count(withRolled(meters, update, now), now);
    if (outcome.kind === 'decided' && !outcome.replayed)
      notePeriods(meters, update, now, { origin: '', putPeriod: (period) => customer.putPeriod(period) });
    return outcome;
  },
  newPeriods: () => new Periods(),
  note: noteUsage,
  explain: explainCheck,
};
