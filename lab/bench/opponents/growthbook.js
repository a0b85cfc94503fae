// GrowthBook for Node, as its page for Node sets it up: one client, and the user's attributes with each call.
import { GrowthBookClient } from '@growthbook/growthbook';

export function open(slugs, isPlain) {
  const byPlan = { defaultValue: false, rules: [{ condition: { plan: 'users' }, force: true }] };
  const feature = isPlain ? { defaultValue: true } : byPlan;
  const features = Object.fromEntries(slugs.map((slug) => [slug, feature]));
  const client = new GrowthBookClient().initSync({ payload: { features } });
  const user = { attributes: { id: 'ada@example.com', plan: 'users' } };
  return (times) => {
    let allowed = 0;
    for (let turn = 0; turn < times; turn++) if (client.isOn(slugs[turn % slugs.length], user)) allowed++;
    return allowed;
  };
}
