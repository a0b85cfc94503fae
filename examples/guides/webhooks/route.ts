import { readWebhook } from 'tessera-sdk/webhooks';
import { tessera } from './tessera.ts';

// During a rotation both secrets of the webhook, separated by a comma.
const secrets = (process.env.TESSERA_WEBHOOK_SECRETS ?? '').split(',');
const seen = new Set<string>();

export async function POST(request: Request): Promise<Response> {
  const event = await readWebhook(request, secrets).catch(() => null);
  if (event === null) return new Response('Not signed by Tessera', { status: 401 });
  if (seen.has(event.id)) return new Response(null, { status: 204 });
  switch (event.type) {
    case 'customer.entitlements_changed':
      tessera.refresh({ user: event.data.customer.id });
      break;
    case 'environment.deployed':
      tessera.refresh();
  }
  seen.add(event.id);
  return new Response(null, { status: 204 });
}
