/** Credits that were bought: after the payment, as from your webhook of invoices. The invoice's ID makes it happen once. */
export async function giveCredits(customer: string, invoiceId: string, credits: number): Promise<number> {
  const path = `/api/v1/customers/${encodeURIComponent(customer)}/balances/${encodeURIComponent(invoiceId)}`;
  const response = await fetch(`${process.env.TESSERA_URL}${path}`, {
    method: 'PUT',
    headers: {
      // A secret key with the permission to manage customers.
      authorization: `Bearer ${process.env.TESSERA_KEY}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      feature: 'data-exports',
      property: 'exports',
      amount: credits,
      category: 'paid',
      reason: `Invoice ${invoiceId}`,
    }),
  });
  if (!response.ok) throw new Error(`Credits were not given: ${await response.text()}`);
  const { balance } = (await response.json()) as { balance: { remaining: number } };
  return balance.remaining;
}
