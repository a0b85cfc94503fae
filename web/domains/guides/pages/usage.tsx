import consume from '../../../../examples/guides/usage/consume.ts?raw';
import count from '../../../../examples/guides/usage/count.ts?raw';
import resend from '../../../../examples/guides/usage/resend.ts?raw';
import seats from '../../../../examples/guides/usage/seats.ts?raw';
import tessera from '../../../../examples/guides/usage/tessera.ts?raw';
import { GuideLink, Part, Snippet } from '../parts/guide-parts.tsx';

export function UsageGuide() {
  return (
    <>
      <p>
        <code>consume</code> counts usage only if it fits the limit. <code>count</code> records what happened,
        whatever the limit. Both need a secret key.
      </p>
      <Part title="Consume">
        <p>
          One call decides and counts. <code>counted</code> is <code>now</code>, <code>later</code> or{' '}
          <code>no</code>.
        </p>
        <Snippet file="consume.ts" code={consume} />
      </Part>
      <Part title="Count">
        <p>
          Updates wait in a buffer and leave in batches. <code>at</code> is when the usage happened, up to 24
          hours ago, so that it lands in the right window. The client sends the API how long ago that was (
          <code>ageMs</code>), so the machine’s clock may be wrong.
        </p>
        <Snippet file="count.ts" code={count} />
        <p>
          In Workers pass <code>waitUntil</code> to the client, as in the{' '}
          <GuideLink to="hono">Hono</GuideLink> guide. On Vercel and Netlify the client finds it. Elsewhere
          await <code>flush</code> or <code>close</code> before the process ends.
        </p>
      </Part>
      <Part title="Seats">
        <p>
          A meter with unique resources counts each ID once. <code>release</code> gives it back.
        </p>
        <Snippet file="seats.ts" code={seats} />
      </Part>
      <Part title="Undelivered usage">
        <p>
          Each update gets its idempotency key before the first attempt, so a retry never counts twice. The
          client retries for 24 hours, then hands the update over. It never drops one silently.
        </p>
        <Snippet file="tessera.ts" code={tessera} />
        <Snippet file="resend.ts" code={resend} />
      </Part>
    </>
  );
}
