/** How many customers an organisation may have created by API, in all its environments together: their rows are in a database that all share. */
import type { OrganisationPlan } from './usage-level.ts';

/** An organisation that has more, of before or of a plan that has fallen, keeps them. */
export const CUSTOMER_BUDGETS: Readonly<Record<OrganisationPlan, number>> = {
  build: 10_000,
  grow: 1_000_000,
};
