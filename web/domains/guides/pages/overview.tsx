/** /docs: what Tessera does, the first call, and every guide. */
import { SDK_VERSION, sdkFileName } from '#contracts/public/sdk-package';
import { clientExample } from '#web/values/client-example.ts';
import { GUIDE_GROUPS } from '../parts/guide-list.ts';
import { GuideLink, Part, Snippet } from '../parts/guide-parts.tsx';

export function Overview() {
  const { origin } = window.location;
  const example = { type: 'secret', feature: 'data-exports', subject: { user: 'ada@example.com' } } as const;
  return (
    <>
      <p>
        Tessera tells your product what each customer can do. You define features and plans in the console and
        deploy them. Your code checks access and counts usage.
      </p>
      <Part title="First call">
        <p>
          The client is served by Tessera itself as <code>{sdkFileName(SDK_VERSION)}</code>. It has no
          dependencies and runs on Node 20 and newer, Workers, Deno, Bun and in browsers. Create a secret key
          under <em>Environments</em>, put it into the third line, and paste this into a terminal:
        </p>
        <Snippet file="Terminal" code={clientExample({ origin, ...example })} />
        <p>
          The call appears in <em>Observability</em> within seconds. Secret keys belong on servers only; the{' '}
          <GuideLink to="react">React guide</GuideLink> shows how browsers check access.
        </p>
      </Part>
      <Part title="Guides">
        <p>
          Examples use one workspace: <code>data-exports</code> with a monthly meter, <code>team-seats</code>{' '}
          with ten seats, and <code>dashboards</code> with a number and a switch. Every example runs in
          Tessera’s own tests.
        </p>
        <ul>
          {GUIDE_GROUPS.flatMap(({ guides }) => guides)
            .filter(({ id }) => id !== '')
            .map(({ id, title, summary }) => (
              <li key={id}>
                <GuideLink to={id}>{title}</GuideLink>: {summary}
              </li>
            ))}
        </ul>
      </Part>
    </>
  );
}
