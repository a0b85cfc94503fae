import { tessera } from './tessera';

/** Customers keep working during an outage. */
export const mayExport = (user: string) => tessera.can('data-exports', { on: { user }, fallback: true });

/** Guests see your customer’s data, so when in doubt the answer is no. */
export const mayInviteGuests = (user: string) =>
  tessera.can('team-seats.guests', { on: { user }, fallback: false });

/** The value of your smallest plan. */
export const maxDashboards = (user: string) =>
  tessera.get('dashboards.maxDashboards', { on: { user }, fallback: 3 });
