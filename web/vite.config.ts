// Builds the console into web/dist, and serves it with hot reload for `npm run dev`.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const api = `http://localhost:${process.env.PORT ?? 4001}`;

/** The API accepts calls from its own page only: behind this proxy the page is on another port, so it says otherwise. */
const throughProxy = { target: api, changeOrigin: true, headers: { origin: api } };

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // Nothing is put inline: the page's policy takes fonts and pictures from its own origin only.
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0 },
  server: {
    host: '127.0.0.1',
    port: 4000,
    strictPort: true,
    fs: { allow: ['..'] },
    // Not the console's own modules of web/api, which have the same beginning.
    proxy: { '^/api/(?![\\w-]+\\.ts(\\?|$))': throughProxy, '^/dev/': throughProxy },
  },
});
