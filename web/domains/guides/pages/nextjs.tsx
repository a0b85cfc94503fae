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
        Your server asks with a secret key. Pages render with the answers, so nothing flickers, and browsers
        refresh them through a route of your own.
      </p>
      <Install file=".env.local" />
      <Part title="Client">
        <p>
          Creating a client starts nothing, so it can be at module level. Answers are cached for up to a
          minute: most renders make no call.
        </p>
        <Snippet file="lib/tessera.ts" code={tessera} />
        <Snippet file="lib/customer.ts" code={customer} />
      </Part>
      <Part title="Layout">
        <p>
          The first HTML contains the answers. If Tessera is away, pages render with their fallbacks instead.
        </p>
        <Snippet file="app/layout.tsx" code={layout} />
        <Snippet file="app/entitlements/route.ts" code={route} />
      </Part>
      <Part title="Components">
        <p>
          A hook reads one path and renders again only when that value changes. The button asks again after
          each export.
        </p>
        <Snippet file="app/export-button.tsx" code={exportButton} />
      </Part>
      <Part title="Actions">
        <p>
          The action decides, not the button: <code>consume</code> takes one export if one is left, in one
          call. What happens during an outage is the fallback: see{' '}
          <GuideLink to="outages">Caching and outages</GuideLink>.
        </p>
        <Snippet file="app/export-report.ts" code={exportReport} />
      </Part>
    </>
  );
}
