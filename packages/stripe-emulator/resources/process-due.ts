// Scheduled changes: periods and trials end, subscriptions renew or cancel, drafts are finalized, checkout sessions expire, test
// clocks advance.
import { contextOf, type Emulator, readScope } from '../core/emulator.ts';
import { inTransaction } from '../store/open-database.ts';
import { expireCheckoutSession } from './checkout-sessions.ts';
import { getRecord } from './list-page.ts';
import { reportMeterErrors } from './meter-errors.ts';
import { advanceInvoice } from './one-off-invoices.ts';
import { advanceSchedule } from './schedule-phases.ts';
import { advanceSubscription } from './subscription-cycle.ts';
import { deleteTestClock, finishAdvancing } from './test-clocks.ts';

const batchSize = 100;

/** Processes everything that is due, including several periods of one subscription. */
export function processDue(emulator: Emulator): void {
  const now = Math.floor(emulator.now() / 1000);
  for (let round = 0; round < 1000; round += 1) {
    const due = emulator.objects.due(now, batchSize);
    if (due.length === 0) return;
    inTransaction(emulator.database, () => {
      for (const { scope, kind, id } of due) {
        const { accountId, livemode } = readScope(scope);
        const account = emulator.accounts.find(accountId);
        if (account === undefined) continue;
        const context = contextOf(emulator, account, livemode);
        if (kind === 'subscription_schedule') advanceSchedule(context, getRecord(context, kind, id));
        if (kind === 'subscription') advanceSubscription(context, getRecord(context, kind, id));
        if (kind === 'checkout.session') expireCheckoutSession(context, id);
        if (kind === 'invoice') advanceInvoice(context, getRecord(context, kind, id));
        if (kind === 'test_helpers.test_clock') {
          const clock = getRecord(context, kind, id);
          if (clock.status === 'advancing') finishAdvancing(context, clock);
          else deleteTestClock(context, id);
        }
        if (kind === 'billing.meter_error') {
          const error = emulator.objects.find(scope, kind, id);
          if (error) reportMeterErrors(context, error.meter);
        }
      }
    });
  }
}
