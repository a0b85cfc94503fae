// React Native's fetch: its polyfill over XMLHttpRequest, without streams and without a page.
import assert from 'node:assert/strict';
import { JSDOM } from 'jsdom';
import { createBrowserTessera } from 'tessera-sdk/browser';

const { window } = new JSDOM('', { url: 'http://localhost:8081' });
globalThis.XMLHttpRequest = window.XMLHttpRequest;
const { fetch } = await import('whatwg-fetch');
assert.equal((await fetch(`${process.env.TESSERA_URL}/api/v1/access-checks`)).body, undefined);

const { TESSERA_URL: url, TESSERA_PUBLIC_KEY: publicKey } = process.env;
let wake;
const tessera = createBrowserTessera({
  from: { url, publicKey, token: () => null },
  fetch,
  onVisible: (seen) => {
    wake = seen;
    return () => {};
  },
});
const stop = tessera.subscribe(() => {});
assert.equal((await tessera.load()).get('dashboards.maxDashboards'), 3);
wake();
assert.equal(tessera.getState().status, 'ready');
stop();
