/** What follows a meter's limit: its window, or that the limit includes balances, which no window resets. */
import type { Entitlement } from '#contracts/console/customers';
import type { Meter } from '#contracts/public/values';
import { limitWindow } from '#engine/values/limit-window';

export type MeteredAnswer = Extract<Entitlement['meter'], { state: 'metered' }>;

/** Whether the limit is more than the plans' quota: a balance can be drawn from. */
export const hasBalances = ({ balances = [] }: MeteredAnswer): boolean =>
  balances.some(({ kind }) => kind === 'balance');

/** '/ month', 'in the last 30 days', 'with balances'. */
export const meterWindow = (answer: MeteredAnswer, meter: Omit<Meter, 'limit'>): string =>
  hasBalances(answer) ? 'with balances' : limitWindow(meter);
