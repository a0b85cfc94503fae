/**
 * A test of a React page in Jest with jsdom, where there is neither fetch nor Response.
 * @jest-environment jsdom
 */
const assert = require('node:assert/strict');
const { act, createElement } = require('react');
const { createRoot } = require('react-dom/client');
const { createBrowserTessera } = require('tessera-sdk/browser');
const { TesseraProvider, useValue } = require('tessera-sdk/react');
const { accessJson } = require('tessera-sdk/testing');

globalThis.IS_REACT_ACT_ENVIRONMENT = true;

const Limit = () => `${useValue('dashboards.maxDashboards', { fallback: 1 })} dashboards`;

test('a page shows its bootstrap, and then what the route answers', async () => {
  const fetch = async () => ({
    ok: true,
    status: 200,
    headers: new Map(),
    text: async () => JSON.stringify(accessJson({ 'dashboards.maxDashboards': 30 })),
  });
  const client = createBrowserTessera({
    from: { handler: '/entitlements' },
    bootstrap: accessJson({ 'dashboards.maxDashboards': 25 }),
    fetch,
  });
  const page = document.body.appendChild(document.createElement('main'));
  const root = createRoot(page);
  await act(() => root.render(createElement(TesseraProvider, { client }, createElement(Limit))));
  assert.equal(page.textContent, '25 dashboards');
  await act(() => client.refresh());
  assert.equal(page.textContent, '30 dashboards');
  await act(() => root.unmount());
});
