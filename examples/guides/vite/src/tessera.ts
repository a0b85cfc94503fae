import { createBrowserTessera } from 'tessera-sdk/browser';

/** Asks your own server, with the page's cookies. */
export const tessera = createBrowserTessera({ from: { handler: '/api/entitlements' } });
