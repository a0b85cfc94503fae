/** API keys over HTTP. */
import { apiKeyEndpoints } from '#contracts/console/api-keys';
import { API_KEY_RANDOM_BYTES } from '#engine/identity/api-key';
import { type Route, route } from '#worker/http/route';
import { createApiKey } from './create-api-key.ts';
import { listKeyUses } from './list-key-uses.ts';
import { revealApiKey } from './reveal-api-key.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { listApiKeys } from './store.ts';
import { updateApiKey } from './update-api-key.ts';

export const apiKeyRoutes: readonly Route[] = [
  route(apiKeyEndpoints.list, ({ ctx, scope, params }) => listApiKeys(ctx.db, scope, params.environmentId)),
  route(apiKeyEndpoints.uses, ({ ctx, scope, params }) => listKeyUses(ctx, scope, params.environmentId)),
  route(apiKeyEndpoints.create, ({ ctx, scope, body }) =>
    createApiKey(ctx, scope, {
      ...body,
      random: crypto.getRandomValues(new Uint8Array(API_KEY_RANDOM_BYTES)),
    }),
  ),
  route(apiKeyEndpoints.reveal, ({ ctx, scope, params }) => revealApiKey(ctx, scope, params.keyId)),
  route(apiKeyEndpoints.update, ({ ctx, scope, params, body }) =>
    updateApiKey(ctx, scope, params.keyId, body),
  ),
  route(apiKeyEndpoints.remove, ({ ctx, scope, params }) => revokeApiKey(ctx, scope, params.keyId)),
];
