// Routes to the emulator's HTML pages: checkout, billing portal, control page.
import type { Emulator } from '../core/emulator.ts';
import { checkoutPage } from './checkout-page.ts';
import { actOnControlPage, controlPage, controlScript } from './control-page.ts';
import { notice, type PageAnswer, type PageRequest } from './layout.ts';
import { portalPage } from './portal-page.ts';

export function handlePage(emulator: Emulator, request: PageRequest): PageAnswer {
  if (request.path.startsWith('/checkout/')) return checkoutPage(emulator, request);
  if (request.path.startsWith('/portal/')) return portalPage(emulator, request);
  if (request.path === '/') return controlPage(emulator, request);
  if (request.path === '/control-page.js') return controlScript();
  if (request.path.startsWith('/act/') && request.method === 'POST')
    return actOnControlPage(emulator, request);
  return notice(404, 'Nothing here', 'There is no such page in the Stripe emulator.');
}
