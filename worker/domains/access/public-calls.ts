/** The calls of the public API that check and count, with their handlers, and its own description. */
import { openApiEndpoints } from '#contracts/public/openapi';
import { publicCalls } from '#contracts/public/public-calls';
import { settingsOf } from '#worker/env';
import { answerAccessCheck } from './answer-access-check.ts';
import { answerAccessChecks } from './answer-access-checks.ts';
import { answerCounterUpdate } from './answer-counter-update.ts';
import { answerCounterUpdates } from './answer-counter-updates.ts';
import { answerOfrepFlag, answerOfrepFlags } from './answer-ofrep.ts';
import { keyRoute, type OpenRoute } from './public-routes.ts';

export const ACCESS_CALLS = {
  checkAccess: keyRoute(publicCalls.checkAccess, answerAccessCheck),
  checkAccessOfMany: keyRoute(publicCalls.checkAccessOfMany, answerAccessChecks),
  updateCounter: keyRoute(publicCalls.updateCounter, answerCounterUpdate),
  updateCounters: keyRoute(publicCalls.updateCounters, answerCounterUpdates),
  evaluateFlags: keyRoute(publicCalls.evaluateFlags, answerOfrepFlags),
  evaluateFlag: keyRoute(publicCalls.evaluateFlag, answerOfrepFlag),
} as const;

/** The API's own description, which is loaded only here. */
export const DESCRIPTION: OpenRoute = {
  endpoint: openApiEndpoints.read,
  serve: async (request, env, requestId) => {
    const { serveDocument } = await import('#worker/domains/api-docs/serve-document');
    return serveDocument(request, settingsOf(env).baseUrl, requestId);
  },
};
