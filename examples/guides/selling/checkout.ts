/** POST /checkout of your server: answers with the address of Stripe's page. */
export async function checkout(customer: string, price: string): Promise<string> {
  return open(customer, 'checkout', {
    price,
    successUrl: 'https://app.example/welcome',
    cancelUrl: 'https://app.example/pricing',
  });
}

/** Where a customer who subscribes changes or cancels the plan. */
export async function portal(customer: string): Promise<string> {
  return open(customer, 'portal', { returnUrl: 'https://app.example/account' });
}

async function open(customer: string, page: string, body: object): Promise<string> {
  const { TESSERA_URL, TESSERA_KEY } = process.env;
  const path = `/api/v1/customers/${encodeURIComponent(customer)}/${page}`;
  const answer = await fetch(TESSERA_URL + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${TESSERA_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { url, code } = await answer.json();
  if (url === undefined) throw new Error(`No ${page} was opened: ${code}`);
  return url;
}
