/** The Stripe customers that a customer was separated from. @param detail of the audit entry */
export function separatedFrom({ customerIds }: Readonly<Record<string, unknown>>): string {
  const ids = Array.isArray(customerIds) ? customerIds.map(String) : [];
  if (ids.length === 0) return 'its Stripe customers';
  return `Stripe ${ids.length === 1 ? 'customer' : 'customers'} ${ids.join(', ')}`;
}
