import route from '../../../../examples/guides/next/app/entitlements/route.ts?raw';
import exportButton from '../../../../examples/guides/next/app/export-button.tsx?raw';
import exportReport from '../../../../examples/guides/next/app/export-report.ts?raw';
import layout from '../../../../examples/guides/next/app/layout.tsx?raw';
import customer from '../../../../examples/guides/next/lib/customer.ts?raw';
import tessera from '../../../../examples/guides/next/lib/tessera.ts?raw';
import { GuideLink, Part, Snippet } from '../parts/guide-parts.tsx';
import { Install } from '../parts/install.tsx';

export function NextGuide() {
  return (
    <>
      <p>
        Your server checks access with a secret key. The first HTML already contains the result, so nothing
        flickers, and browsers refresh it through your own route.
      </p>
      <Install file=".env.local" />
      <Part title="Client">
        <p>
          Creating a client starts nothing, so it can be at module level. Responses are cached for up to a
          minute, so most renders make no call.
        </p>
        <Snippet file="lib/tessera.ts" code={tessera} />
        <Snippet file="lib/customer.ts" code={customer} />
      </Part>
      <Part title="Layout">
        <p>
          The layout passes the result to the browser. During an outage, pages render with their fallbacks.
        </p>
        <Snippet file="app/layout.tsx" code={layout} />
        <Snippet file="app/entitlements/route.ts" code={route} />
      </Part>
      <Part title="Components">
        <p>
          A hook reads one path and renders again only when that value changes. The button refreshes after
          each export.
        </p>
        <Snippet file="app/export-button.tsx" code={exportButton} />
      </Part>
      <Part title="Actions">
        <p>
          The action decides, not the button. <code>consume</code> counts one export if one is left. The
          fallback decides during an outage: see <GuideLink to="outages">Caching and outages</GuideLink>.
        </p>
        <Snippet file="app/export-report.ts" code={exportReport} />
        <p>
          A whole application is in <code>examples/next</code> of Tessera’s repository.
        </p>
      </Part>
    </>
  );
}
