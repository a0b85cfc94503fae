import decide from '../../../../examples/guides/outages/decide.ts?raw';
import peek from '../../../../examples/guides/outages/peek.ts?raw';
import tessera from '../../../../examples/guides/outages/tessera.ts?raw';
import { GuideLink, Part, Snippet } from '../parts/guide-parts.tsx';

export function OutagesGuide() {
  return (
    <>
      <p>
        Every call ends, with or without Tessera. You decide what happens in between: each read names its
        fallback.
      </p>
      <Part title="What is cached">
        <ul>
          <li>A response is used for up to a minute, or until a meter in it resets.</li>
          <li>Concurrent reads of one customer share one call. Without traffic there are no calls.</li>
          <li>
            While Tessera cannot be reached, a response is used for up to an hour. Its <code>source</code> is
            then <code>stale</code>, and <code>ageMs</code> is its age.
          </li>
          <li>Without any response, the fallback applies.</li>
        </ul>
        <p>
          Reads from the cache cost nothing. <em>Observability</em> shows them beside the calls.
        </p>
      </Part>
      <Part title="Choose a fallback">
        <p>
          <code>can</code> and <code>get</code> never reject. Choose <code>true</code> where a wrong no loses
          your customer’s work, and <code>false</code> where a wrong yes shows data or costs money.
        </p>
        <Snippet file="decide.ts" code={decide} />
      </Part>
      <Part title="Bounds and alerts">
        <p>
          <code>onEvent</code> receives every read. Those with an error were stale or fallbacks: alert on
          them.
        </p>
        <Snippet file="tessera.ts" code={tessera} />
      </Part>
      <Part title="Without waiting">
        <p>
          <code>peek</code> reads only the cache. <code>refresh</code> drops a cached response, so that a
          customer sees an upgrade immediately.
        </p>
        <Snippet file="peek.ts" code={peek} />
        <p>
          <code>consume</code> always calls Tessera: see <GuideLink to="usage">Usage</GuideLink>.
        </p>
      </Part>
    </>
  );
}
