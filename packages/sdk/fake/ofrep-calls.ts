/** OpenFeature's protocol, by the server's own code: access checks, answered as flags. */
import { checkOfFlags, writeFlag, writeFlags } from '#engine/access/ofrep-flags';
import { ensureRules, type Fields, identifier, issuesOf, object, type Rules, text } from './body-rules.ts';
import type { Evaluated, FakeApi, FakeCall } from './fake-api.ts';
import { CALL_LIMITS, type FakeRoute } from './fake-route.ts';
import { tagged } from './tagged.ts';

const CONTEXT: Rules = { targetingKey: identifier, userJwt: text };
const BODY: Rules = {
  context: (value) => object(value) ?? issuesOf(only(value as Fields, CONTEXT), CONTEXT, []),
};

/** The protocol demands that unknown fields are ignored. */
const only = (body: Fields, rules: Rules): Fields =>
  Object.fromEntries(Object.keys(rules).map((field) => [field, body[field]]));

const evaluating = {
  method: 'POST',
  limits: CALL_LIMITS,
  ensureBody: (body: Fields) => ensureRules(only(body, BODY), BODY),
  canExplain: true,
  takesApiKey: true,
} as const;

export const OFREP_CALLS: readonly FakeRoute[] = [
  {
    ...evaluating,
    path: '/ofrep/v1/evaluate/flags',
    async answer(api, call) {
      const { rendered, result, warnings } = await checkFor(api, call);
      const { text, values } = writeFlags(rendered, result, warnings);
      return tagged(call, text, values);
    },
  },
  {
    ...evaluating,
    path: '/ofrep/v1/evaluate/flags/:key',
    async answer(api, call) {
      const { key = '' } = call.params;
      const { rendered, result, warnings } = await checkFor(api, call, key);
      const { text, isFound } = writeFlag(key, rendered, result, warnings);
      return { text, ...(!isFound && { status: 404 }) };
    },
  },
];

/** @param key of one flag; absent: all flags */
async function checkFor(api: FakeApi, call: FakeCall, key?: string) {
  const { check, warnings } = checkOfFlags(call.keyType, call.body, key);
  const evaluated: Evaluated = await api.evaluate(call, check);
  const { identity } = evaluated.asking.identified;
  const { resolution } = evaluated.asking;
  return {
    rendered: { ...evaluated, features: JSON.stringify(evaluated.features) },
    result: { subject: { identity, resolution } },
    warnings,
  };
}
