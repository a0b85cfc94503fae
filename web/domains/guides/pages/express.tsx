import server from '../../../../examples/guides/express/server.ts?raw';
import { GuideLink, Part, Snippet } from '../parts/guide-parts.tsx';
import { Install } from '../parts/install.tsx';

export function ExpressGuide() {
  return (
    <>
      <p>
        Routes check access before they work, usage is counted once, and browsers read what their user can do
        from your own route.
      </p>
      <Install file=".env" />
      <p>
        Start Node with <code>--env-file=.env</code>.
      </p>
      <Part title="Server">
        <p>
          <code>consume</code> counts one export if one is left. <code>can</code> only reads, from the cache
          for up to a minute. <code>toNode</code> adapts the handler to Express and <code>node:http</code>.
        </p>
        <Snippet file="server.ts" code={server} />
      </Part>
      <Part title="Shut down">
        <p>
          <code>close</code> sends what still waits. What cannot be sent is covered in{' '}
          <GuideLink to="usage">Usage</GuideLink>.
        </p>
      </Part>
    </>
  );
}
