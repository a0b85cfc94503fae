// Webhooks of connected organisations follow Tessera to another port.
import { contextOf, type Emulator } from '../emulator.ts';

const CONNECTED = '/api/webhooks/stripe/';

/** @param origin Tessera's, such as http://localhost:4001. Endpoints elsewhere stay as they are */
export function moveWebhooks(emulator: Emulator, origin: string): void {
  const { hostname } = new URL(origin);
  for (const account of emulator.accounts.list()) {
    for (const livemode of [false, true]) {
      const { scope } = contextOf(emulator, account, livemode);
      for (const endpoint of emulator.objects.all(scope, 'webhook_endpoint')) {
        const { hostname: host, pathname } = new URL(endpoint.url);
        if (host !== hostname || !pathname.startsWith(CONNECTED)) continue;
        emulator.objects.update(scope, 'webhook_endpoint', { ...endpoint, url: `${origin}${pathname}` });
      }
    }
  }
}
