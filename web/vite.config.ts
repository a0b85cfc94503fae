// Builds the console into web/dist, and serves it with hot reload for `npm run dev`.
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const api = `http://localhost:${process.env.PORT ?? 4001}`;

/** The API accepts same-origin calls only. The proxy rewrites the origin, because the page has another port. */
const throughProxy = { target: api, changeOrigin: true, headers: { origin: api } };

/**
 * Bundles the code that every signed-in page needs into two chunks instead of about fifty: this compresses better, and
 * the libraries stay cached when the console changes. Code of single routes stays in their chunks.
 */
const firstScreen = [
  {
    name: 'libraries',
    test: /node_modules\/(react|react-dom|react-router|scheduler|@tanstack\/(react-query|query-core)|zod|sonner)\//,
  },
  {
    name: 'frame',
    test: /\/web\/(api|session\/(?!member-name)|theme|paths|shell\/(?!command-palette|palette|use-palette|shortcuts-dialog|sidebar-sheet|centred-layout))|\/worker\/contracts\/(public|console)\/(?!access|test-access|billing|customer|event-|features|integrations|organisation-deletion|plans|stripe|sudo|support-access|team|watch-|workflow)/,
  },
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: {
    alias: [
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
    rolldownOptions: { output: { codeSplitting: { groups: firstScreen } } },
  },
  server: {
    host: '127.0.0.1',
    port: 4000,
    strictPort: true,
    fs: { allow: ['..'] },
    // Excludes the console's own modules in web/api, which share the prefix.
    proxy: { '^/api/(?![\\w-]+\\.ts(\\?|$))': throughProxy, '^/dev/': throughProxy },
  },
});
