// Builds the console into web/dist, and serves it with hot reload for `npm run dev`.
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunks } from './bundling/chunks.ts';
import { guides } from './bundling/guides/guides.ts';
import { LICENCES_FILE, licences } from './bundling/licences.ts';
import { mantineStyles } from './bundling/mantine-styles.ts';
import { preloadPage } from './bundling/preload-page.ts';
import { splitContracts } from './bundling/split-contracts.ts';

const api = `http://127.0.0.1:${process.env.PORT ?? 4001}`;

/** The API accepts same-origin calls only. The proxy rewrites the origin, because the page has another port. */
const throughProxy = { target: api, changeOrigin: true, headers: { origin: api } };

export default defineConfig({
  root: import.meta.dirname,
  plugins: [guides(), react(), splitContracts(), mantineStyles(), preloadPage(), licences()],
  resolve: {
    alias: [
      { find: /^zod$/, replacement: resolve(import.meta.dirname, 'api/zod.ts') },
      {
        find: /^(\.\.\/)+internal\/common\/workers\.js$/,
        replacement: resolve(import.meta.dirname, 'domains/workflows/code/create-web-worker.ts'),
      },
    ],
  },
  // No inlined assets: the content security policy allows fonts and images from the own origin only.
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: LICENCES_FILE },
    rolldownOptions: { output: { codeSplitting: chunks } },
  },
  server: {
    host: '127.0.0.1',
    port: 4000,
    strictPort: true,
    fs: { allow: ['..'] },
    // Excludes the console's own modules in web/api, which share the prefix.
    proxy: {
      '^/api/(?![\\w-]+\\.ts(\\?|$))': throughProxy,
      '^/dev/': throughProxy,
      // As the last build has them.
      '^/(docs(/[^/]+)?\\.md|api-docs\\.md|llms\\.txt)$': throughProxy,
    },
  },
});
