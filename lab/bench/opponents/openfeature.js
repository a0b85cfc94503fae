// OpenFeature's SDK for servers with its provider of values in memory.
import { InMemoryProvider, OpenFeature } from '@openfeature/server-sdk';

export async function open(slugs, isPlain) {
  const byPlan = {
    defaultVariant: 'off',
    contextEvaluator: ({ plan }) => (plan === 'users' ? 'on' : 'off'),
  };
  const decided = isPlain ? { defaultVariant: 'on' } : byPlan;
  const flag = { variants: { on: true, off: false }, disabled: false, ...decided };
  const domain = `bench ${isPlain}`;
  const provider = new InMemoryProvider(Object.fromEntries(slugs.map((slug) => [slug, flag])));
  await OpenFeature.setProviderAndWait(domain, provider);
  const client = OpenFeature.getClient(domain);
  const context = { targetingKey: 'ada@example.com', plan: 'users' };
  return async (times) => {
    let allowed = 0;
    for (let turn = 0; turn < times; turn++)
      if (await client.getBooleanValue(slugs[turn % slugs.length], false, context)) allowed++;
    return allowed;
  };
}
