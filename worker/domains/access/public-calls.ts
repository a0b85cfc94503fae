/** The calls of the public API that check and count, with their handlers, and its own description. */
import { openApiEndpoints } from '#contracts/public/openapi';
import { publicCalls } from '#contracts/public/public-calls';
import { settingsOf } from '#worker/env';
import { answerAccessCheck } from './answers/answer-access-check.ts';
import { answerAccessChecks } from './answers/answer-access-checks.ts';
import { answerCounterUpdate } from './answers/answer-counter-update.ts';
import { answerCounterUpdates } from './answers/answer-counter-updates.ts';
import { answerExtendHold, answerHold, answerSettleHold } from './answers/answer-holds.ts';
import { answerOfrepFlag, answerOfrepFlags } from './answers/answer-ofrep.ts';
import { keyRoute, type OpenRoute } from './calls/public-routes.ts';

export const ACCESS_CALLS = {
  checkAccess: keyRoute(publicCalls.checkAccess, answerAccessCheck),
  checkAccessOfMany: keyRoute(publicCalls.checkAccessOfMany, answerAccessChecks),
  updateCounter: keyRoute(publicCalls.updateCounter, answerCounterUpdate),
  updateCounters: keyRoute(publicCalls.updateCounters, answerCounterUpdates),
  openHold: keyRoute(publicCalls.openHold, answerHold),
  extendHold: keyRoute(publicCalls.extendHold, answerExtendHold),
  settleHold: keyRoute(publicCalls.settleHold, answerSettleHold),
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
