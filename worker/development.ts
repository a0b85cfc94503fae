/** Entry point of a development server: the product, and /dev beside it. What is deployed is index.ts, which contains nothing of /dev. */
import type { QueueMessage } from '#runtime/messages';
import { developmentApp } from './domains/development/development-app.ts';
import type { Env } from './env.ts';
import product from './index.ts';

export * from './index.ts';

/** Not parsed: benchmarks measure calls of the public API through this. */
const DEVELOPMENT_TOOLS = /^https?:\/\/[^/]+\/dev\//;

export default {
  ...product,
  fetch: (request, env, context) =>
    DEVELOPMENT_TOOLS.test(request.url)
      ? developmentApp.fetch(request, env, context)
      : product.fetch(request, env, context),
} satisfies ExportedHandler<Env, QueueMessage>;
