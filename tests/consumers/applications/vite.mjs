// A single-page application that Vite builds: its script as browsers get it, with as much of a page as it uses.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

const { TESSERA_URL: url, TESSERA_PUBLIC_KEY: publicKey } = process.env;
const from = `{ url: ${JSON.stringify(url)}, publicKey: ${JSON.stringify(publicKey)}, token: () => null }`;
writeFileSync('index.html', '<!doctype html><title>…</title><script type="module" src="./main.js"></script>');
writeFileSync(
  'main.js',
  `import { createBrowserTessera } from 'tessera-sdk/browser';
const access = await createBrowserTessera({ from: ${from} }).load();
document.title = access.get('dashboards.maxDashboards') + ' dashboards';`,
);
await build({ configFile: false, logLevel: 'error', build: { modulePreload: false, target: 'es2023' } });
const [script] = readdirSync('dist/assets').filter((name) => name.endsWith('.js'));
globalThis.document = { title: '' };
await import(pathToFileURL(resolve('dist/assets', script)).href);
assert.equal(document.title, '3 dashboards');
