import worker from '../../../../examples/hono-worker/src/index.ts?raw';
import { GuideLink, Part, Snippet } from '../parts/guide-parts.tsx';
import { Install } from '../parts/install.tsx';

export function HonoGuide() {
  return (
    <>
      <p>
        One client at module level serves every request of the isolate. Usage leaves after the response, so no
        request waits for it.
      </p>
      <Install file=".dev.vars" />
      <p>
        In production, <code>TESSERA_URL</code> is a variable in <code>wrangler.jsonc</code>, and{' '}
        <code>npx wrangler secret put TESSERA_KEY</code> stores the key.
      </p>
      <Part title="Worker">
        <p>
          Pass the platform’s <code>waitUntil</code>: without it, Workers may end before usage is sent. This
          Worker uses the features of the demo organisation.
        </p>
        <Snippet file="src/index.ts" code={worker} />
        <p>
          The whole application is in <code>examples/hono-worker</code> of Tessera’s repository. What{' '}
          <code>fallback</code> means is in <GuideLink to="outages">Caching and outages</GuideLink>, and the
          buffer behind <code>count</code> in <GuideLink to="usage">Usage</GuideLink>.
        </p>
      </Part>
    </>
  );
}
