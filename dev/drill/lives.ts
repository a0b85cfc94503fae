// Customers of a restore drill: what each has before the database is copied, and what becomes of it until the copy is restored.
import type { CustomerChange } from '#contracts/public/customers';

/** Plans of the drill with their seats. Whoever has none of them has `DEFAULT_SEATS`. */
export const PLAN_SEATS = { plus: 5, pro: 50 } as const;
export const DEFAULT_SEATS = 1;

export interface DrillCustomer {
  /** What checks call it. */
  readonly name: string;
  readonly before: readonly CustomerChange[];
  readonly seatsBefore: number;
  readonly after: readonly CustomerChange[];
  readonly seatsAfter: number;
}

const reason = 'Restore drill';
const property = { feature: 'workspaces', property: 'seats' } as const;

function save(customer: string, userId?: string | null): CustomerChange {
  return { change: 'save-customer', customer, ...(userId === undefined ? {} : { userId }) };
}
function grant(customer: string, plan: keyof typeof PLAN_SEATS): CustomerChange {
  return { change: 'grant-plan', customer, plan, reason };
}
function revoke(customer: string, plan: keyof typeof PLAN_SEATS): CustomerChange {
  return { change: 'revoke-plan', customer, plan };
}
function override(customer: string, value: number): CustomerChange {
  return { change: 'set-override', customer, ...property, value, reason };
}
function unset(customer: string): CustomerChange {
  return { change: 'remove-override', customer, ...property };
}

type Life = (id: string, at: number) => Omit<DrillCustomer, 'name'> & { readonly name?: string };

const LIVES: readonly Life[] = [
  (id) => ({ before: [], seatsBefore: 1, after: [grant(id, 'pro')], seatsAfter: 50 }),
  (id) => ({ before: [grant(id, 'pro')], seatsBefore: 50, after: [revoke(id, 'pro')], seatsAfter: 1 }),
  (id) => ({
    before: [grant(id, 'plus')],
    seatsBefore: 5,
    after: [grant(id, 'pro'), revoke(id, 'plus')],
    seatsAfter: 50,
  }),
  (id) => ({ before: [grant(id, 'plus')], seatsBefore: 5, after: [], seatsAfter: 5 }),
  (id) => ({ before: [], seatsBefore: 1, after: [override(id, 10)], seatsAfter: 10 }),
  (id) => ({ before: [override(id, 7)], seatsBefore: 7, after: [override(id, 9)], seatsAfter: 9 }),
  (id) => ({ before: [override(id, 8)], seatsBefore: 8, after: [unset(id)], seatsAfter: 1 }),
  // Checks call it by a user id that another customer has afterwards.
  (id, at) => ({
    name: `user-${at}`,
    before: [save(id, `user-${at}`), grant(id, 'plus')],
    seatsBefore: 5,
    after: [save(id, null), save(`heir-${at}`, `user-${at}`), grant(`heir-${at}`, 'pro')],
    seatsAfter: 50,
  }),
];

/** As many as `count`, of all lives in turn. Every other one has an email as its id. */
export function drillCustomers(count: number): DrillCustomer[] {
  return Array.from({ length: count }, (_, at) => {
    const id = Math.floor(at / LIVES.length) % 2 === 0 ? `customer-${at}` : `customer-${at}@drill.example`;
    const life = LIVES[at % LIVES.length]?.(id, at);
    if (life === undefined) throw new Error('A customer has no life');
    return { name: id, ...life, before: [save(id), ...life.before] };
  });
}
