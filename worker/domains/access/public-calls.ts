/** Every call of the public API: its record and its handler. */
import { openApiEndpoints } from '#contracts/public/openapi';
import { type PublicCallId, publicCalls } from '#contracts/public/public-calls';
import { settingsOf } from '#worker/env';
import { answerAccessCheck } from './answer-access-check.ts';
import { answerCounterUpdate } from './answer-counter-update.ts';
import { type KeyRoute, keyRoute, type OpenRoute, type PublicRoute } from './public-routes.ts';

const CALLS: { readonly [Id in PublicCallId]: KeyRoute } = {
  checkAccess: keyRoute(publicCalls.checkAccess, answerAccessCheck),
  updateCounter: keyRoute(publicCalls.updateCounter, answerCounterUpdate),
};

/** The API's own description, which is loaded only here. */
const DESCRIPTION: OpenRoute = {
  endpoint: openApiEndpoints.read,
  serve: async (request, env, requestId) => {
    const { serveDocument } = await import('#worker/domains/api-docs/serve-document');
    return serveDocument(request, settingsOf(env).baseUrl, requestId);
  },
};

export const PUBLIC_ROUTES: readonly PublicRoute[] = [...Object.values(CALLS), DESCRIPTION];
