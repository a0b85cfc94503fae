import server from '../../../../examples/guides/express/server.ts?raw';
import { GuideLink, Part, Snippet } from '../parts/guide-parts.tsx';
import { Install } from '../parts/install.tsx';

export function ExpressGuide() {
  return (
    <>
      <p>
        Routes ask before they work, usage is counted once, and a browser learns what its user may do from a
        route of yours.
      </p>
      <Install file=".env" />
      <p>
        Start Node with <code>--env-file=.env</code>.
      </p>
      <Part title="Server">
        <p>
          <code>consume</code> takes one export if one is left. <code>can</code> only asks, and answers from
          the cache for up to a minute. <code>toNode</code> adapts the handler to Express and{' '}
          <code>node:http</code>.
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
