/** The body of every refusal. */
interface Refused {
  readonly errorType: string;
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
}

/** Null: it was done. */
async function put(path: string, body: object): Promise<Refused | null> {
  const response = await fetch(`${process.env.TESSERA_URL}/api/v1/customers/${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${process.env.TESSERA_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.ok ? null : ((await response.json()) as Refused);
}

/** Grants a plan, to a new customer as well. Returns what to tell the person who asked for it. */
export async function grant(customer: string, plan: string, reason: string): Promise<string> {
  const name = encodeURIComponent(customer);
  const refused = await put(`${name}/grants/${plan}`, { reason });
  switch (refused?.code) {
    case undefined:
      return 'Granted';
    case 'customer-unknown':
      return (await put(name, {})) === null ? grant(customer, plan, reason) : 'Try again';
    case 'plan-unknown':
      return `There is no plan ${plan}`;
    default: // codes that you do nothing about, and those that are new
      return `Not granted: ${refused?.message} (${refused?.requestId})`;
  }
}
