/** Access checks and counter updates: the calls that clients need. */
import { BATCH, CHECK, CHECKS, ensureRules, NAMED, UPDATE } from './body-rules.ts';
import { BATCH_LIMITS, CALL_LIMITS, type FakeRoute } from './fake-route.ts';

const counting = { method: 'POST', secretKeyOnly: 'Counting usage requires a secret key' } as const;

export const CALLS: readonly FakeRoute[] = [
  {
    method: 'POST',
    path: '/api/v1/access-checks',
    limits: CALL_LIMITS,
    ensureBody: (body) => ensureRules(body, CHECK),
    canExplain: true,
    answer: (api, call) => api.check(call),
  },
  {
    method: 'POST',
    path: '/api/v1/access-checks/batch',
    limits: BATCH_LIMITS,
    ensureBody: (body) => ensureRules(body, CHECKS, ['checks']),
    canExplain: true,
    answer: (api, call, newId) => api.checks(call, newId),
  },
  {
    ...counting,
    path: '/api/v1/counter-updates',
    limits: CALL_LIMITS,
    ensureBody: (body) => ensureRules(body, UPDATE, NAMED),
    answer: (api, call) => api.update(call),
  },
  {
    ...counting,
    path: '/api/v1/counter-updates/batch',
    limits: BATCH_LIMITS,
    ensureBody: (body) => ensureRules(body, BATCH, ['updates']),
    answer: (api, call, newId) => api.updates(call, newId),
  },
];
