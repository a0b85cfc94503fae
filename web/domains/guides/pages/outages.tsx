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
          <li>An answer is used until its validUntil: at most a minute, or until a meter in it resets.</li>
          <li>Concurrent reads of one customer share one call. Without traffic there are no calls.</li>
          <li>
            While Tessera cannot be reached, an answer is used for up to an hour. Its <code>source</code> is
            then <code>stale</code>, and <code>ageMs</code> says how old it is.
          </li>
          <li>Without any answer, the fallback applies.</li>
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
          <code>onEvent</code> sees every answer. Count those with an error: they are stale or fallbacks.
        </p>
        <Snippet file="tessera.ts" code={tessera} />
      </Part>
      <Part title="Without waiting">
        <p>
          <code>peek</code> reads only the cache. <code>refresh</code> forgets an answer, so that a customer
          sees an upgrade immediately.
        </p>
        <Snippet file="peek.ts" code={peek} />
        <p>
          <code>consume</code> always asks: see <GuideLink to="usage">Usage</GuideLink>.
        </p>
      </Part>
    </>
  );
}
