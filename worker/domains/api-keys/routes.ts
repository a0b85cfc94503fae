/** API keys over HTTP. */
import { apiKeyEndpoints } from '#contracts/api-keys';
import { API_KEY_RANDOM_BYTES } from '#engine/identity/api-key';
import { type Route, route } from '#worker/http/route';
import { createApiKey } from './create-api-key.ts';
import { revealApiKey } from './reveal-api-key.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { listApiKeys } from './store.ts';

export const apiKeyRoutes: readonly Route[] = [
  route(apiKeyEndpoints.list, ({ ctx, scope, params }) => listApiKeys(ctx.db, scope, params.environmentId)),
  route(apiKeyEndpoints.create, ({ ctx, scope, caller, body }) =>
    createApiKey(ctx, scope, caller.userId, {
      ...body,
      random: crypto.getRandomValues(new Uint8Array(API_KEY_RANDOM_BYTES)),
    }),
  ),
  route(apiKeyEndpoints.reveal, ({ ctx, scope, caller, params }) =>
    revealApiKey(ctx, scope, caller.userId, params.keyId),
  ),
  route(apiKeyEndpoints.remove, ({ ctx, scope, caller, params }) =>
    revokeApiKey(ctx, scope, caller.userId, params.keyId),
  ),
];
