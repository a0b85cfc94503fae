// Webhooks of connected organisations follow Tessera to another port.
import { contextOf, type Emulator } from '../core/emulator.ts';

/** Names of this machine, which Tessera may have changed between. */
const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const CONNECTED = '/api/webhooks/stripe/';

/** @param origin Tessera's, such as http://localhost:4001. Endpoints elsewhere stay as they are */
export function moveWebhooks(emulator: Emulator, origin: string): void {
  const { hostname } = new URL(origin);
  const isTessera = (host: string) =>
    host === hostname || (LOCAL_HOSTS.has(host) && LOCAL_HOSTS.has(hostname));
  for (const account of emulator.accounts.list()) {
    for (const livemode of [false, true]) {
      const { scope } = contextOf(emulator, account, livemode);
      for (const endpoint of emulator.objects.all(scope, 'webhook_endpoint')) {
        const { hostname: host, pathname } = new URL(endpoint.url);
        if (!isTessera(host) || !pathname.startsWith(CONNECTED)) continue;
        emulator.objects.update(scope, 'webhook_endpoint', { ...endpoint, url: `${origin}${pathname}` });
      }
    }
  }
}
