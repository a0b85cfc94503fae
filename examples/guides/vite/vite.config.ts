import { defineConfig } from 'vite';

export default defineConfig({
  server: {
    // During development, Vite serves the pages, and your own server everything below /api.
    proxy: { '/api': process.env.API_URL ?? 'http://localhost:3000' },
  },
});
