import { installCommand } from '#web/values/client-example.ts';
import app from '../../../../examples/guides/react/app.tsx?raw';
import session from '../../../../examples/guides/react/session.ts?raw';
import signOut from '../../../../examples/guides/react/sign-out.ts?raw';
import tessera from '../../../../examples/guides/react/tessera.ts?raw';
import toolbar from '../../../../examples/guides/react/toolbar.tsx?raw';
import { GuideLink, Part, Snippet } from '../parts/guide-parts.tsx';

export function ReactGuide() {
  const { origin } = window.location;
  return (
    <>
      <p>
        An app without a backend calls Tessera directly, with a public key and its user’s signed token. Add
        your auth provider under <em>Integrations</em> first, so that Tessera accepts its tokens.
      </p>
      <Part title="Install">
        <Snippet file="Terminal" code={installCommand(origin)} />
        <p>A public key is safe in a browser: it cannot count usage, and it only accepts signed tokens.</p>
        <Snippet file=".env" code={`VITE_TESSERA_URL=${origin}\nVITE_TESSERA_PUBLIC_KEY=tsr_pub_…`} />
      </Part>
      <Part title="Client">
        <Snippet file="src/tessera.ts" code={tessera} />
        <Snippet file="src/session.ts" code={session} />
        <Snippet file="src/app.tsx" code={app} />
      </Part>
      <Part title="Components">
        <p>
          Until the first response, hooks return their fallbacks and <code>Gate</code> shows{' '}
          <code>loading</code>. A component renders again only when a value that it reads changes.
        </p>
        <Snippet file="src/toolbar.tsx" code={toolbar} />
      </Part>
      <Part title="Another user">
        <p>
          The same after a sign-in: pass <code>user</code> to <code>TesseraProvider</code>, or call{' '}
          <code>reset</code>. An answer is never shown to another user.
        </p>
        <Snippet file="src/sign-out.ts" code={signOut} />
      </Part>
      <Part title="With a backend">
        <p>
          Hiding a button protects nothing: your backend checks again before it acts, and counts the usage.
          With a backend you need no public key: your pages can read from its route. The{' '}
          <GuideLink to="express">Express</GuideLink> and <GuideLink to="nextjs">Next.js</GuideLink> guides
          show its route; pass <code>{"from: { handler: '/entitlements' }"}</code> to the browser’s client.
        </p>
      </Part>
    </>
  );
}
