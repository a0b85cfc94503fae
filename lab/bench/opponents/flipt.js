// Flipt's client, whose engine is WebAssembly, with a fetcher in place of its server.
import { FliptClient } from '@flipt-io/flipt-client-js';

const constraint = {
  type: 'STRING_CONSTRAINT_COMPARISON_TYPE',
  property: 'plan',
  operator: 'eq',
  value: 'users',
};
const users = { key: 'users', matchType: 'ALL_SEGMENT_MATCH_TYPE', constraints: [constraint] };
const segment = { value: true, segmentOperator: 'OR_SEGMENT_OPERATOR', segments: [users] };

export async function open(slugs, isPlain) {
  const rollouts = isPlain ? [] : [{ type: 'SEGMENT_ROLLOUT_TYPE', rank: 1, segment }];
  const flag = { type: 'BOOLEAN_FLAG_TYPE', enabled: isPlain, rollouts };
  const flags = slugs.map((key) => ({ key, name: key, ...flag }));
  const state = { namespace: { key: 'default' }, flags };
  const client = await FliptClient.init({ fetcher: async () => Response.json(state) });
  const context = { plan: 'users' };
  return (times) => {
    let allowed = 0;
    for (let turn = 0; turn < times; turn++) {
      const flagKey = slugs[turn % slugs.length];
      if (client.evaluateBoolean({ flagKey, entityId: 'ada@example.com', context }).enabled) allowed++;
    }
    return allowed;
  };
}
