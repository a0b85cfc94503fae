// Unleash's SDK for Node, started from a bootstrap: without calls of its server, and without metrics.
import { once } from 'node:events';
import { InMemStorageProvider, Unleash } from 'unleash-client';

export async function open(slugs, isPlain) {
  const byPlan = { constraints: [{ contextName: 'plan', operator: 'IN', values: ['users'] }] };
  const strategies = [{ name: 'default', parameters: {}, ...(isPlain ? {} : byPlan) }];
  const data = slugs.map((name) => ({ name, type: 'release', enabled: true, stale: false, strategies }));
  const client = new Unleash({
    appName: 'bench',
    url: 'http://127.0.0.1:1/api/',
    refreshInterval: 0,
    disableMetrics: true,
    skipInstanceCountWarning: true,
    storageProvider: new InMemStorageProvider(),
    bootstrap: { data },
  });
  // It tries its server once.
  client.on('error', () => {});
  await once(client, 'ready');
  const context = { userId: 'ada@example.com', properties: { plan: 'users' } };
  return (times) => {
    let allowed = 0;
    for (let turn = 0; turn < times; turn++)
      if (client.isEnabled(slugs[turn % slugs.length], context)) allowed++;
    return allowed;
  };
}
