import { tessera } from './tessera';

/** One call for a page of up to 100 customers. Null marks those about whom nothing is known: Tessera cannot be reached, for example. */
export async function customerBadges(customers: readonly string[]) {
  const found = await tessera.checkMany(customers.map((user) => ({ user })));
  return customers.map((customer, index) => {
    const access = found[index] ?? null;
    const exports = access?.get('data-exports.exports');
    return {
      customer,
      plan: access?.plans.at(-1) ?? 'unknown',
      isExhausted: exports?.state === 'metered' && exports.remaining === 0,
    };
  });
}
