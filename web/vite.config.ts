// Builds the console into web/dist, and serves it with hot reload for `npm run dev`.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const api = `http://localhost:${process.env.PORT ?? 4001}`;

/** The API accepts calls from its own page only: behind this proxy the page is on another port, so it says otherwise. */
const throughProxy = { target: api, changeOrigin: true, headers: { origin: api } };

/**
 * What every signed-in page needs, in two files instead of some fifty: it compresses better, and the libraries stay
 * cached when the console changes. What comes with a route, or only when asked for, is left to the routes.
 */
const firstScreen = [
  {
    name: 'libraries',
    test: /node_modules\/(react|react-dom|react-router|scheduler|@tanstack|zod|sonner)\//,
  },
  {
    name: 'frame',
    test: /\/web\/(api|session|theme|paths|shell\/(?!command-palette|sidebar-sheet|centred-layout)|features\/organisations\/queries)|\/worker\/contracts\/(?!access|billing|customers|integrations|stripe|sudo)/,
  },
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // Nothing is put inline: the page's policy takes fonts and pictures from its own origin only.
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
    // Not the console's own modules of web/api, which have the same beginning.
    proxy: { '^/api/(?![\\w-]+\\.ts(\\?|$))': throughProxy, '^/dev/': throughProxy },
  },
});
