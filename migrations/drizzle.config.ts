import { defineConfig } from 'drizzle-kit';

/** `npm run migration -- --name verb_noun` writes the next file from the difference to worker/db/schema. */
export default defineConfig({
  dialect: 'sqlite',
  driver: 'd1-http',
  schema: './worker/db/schema/*.ts',
  out: './migrations',
});
