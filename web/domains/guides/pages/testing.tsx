import exportsTest from '../../../../examples/guides/testing/exports.test.ts?raw';
import exportsCode from '../../../../examples/guides/testing/exports.ts?raw';
import { Part, Snippet } from '../parts/guide-parts.tsx';

export function TestingGuide() {
  return (
    <>
      <p>
        <code>tessera-sdk/testing</code> is a server without a network. It decides with Tessera’s own engine,
        so your tests see the plans, limits and windows of your workspace.
      </p>
      <Part title="Version file">
        <p>
          Open a version under <em>Environments › Versions</em> and choose <em>JSON for your tests</em> in its
          menu. Save it as <code>tessera-version.json</code> beside your tests.
        </p>
      </Part>
      <Part title="Code under test">
        <Snippet file="exports.ts" code={exportsCode} />
      </Part>
      <Part title="Tests">
        <p>
          <code>set</code> overrides values, <code>grant</code> gives a plan, <code>fail</code> breaks the
          next calls (<code>down</code>, <code>silent</code>, <code>lost</code>, <code>429</code>,{' '}
          <code>503</code>), and <code>advance</code> moves the server’s clock. Workflows and Stripe are not
          part of it.
        </p>
        <Snippet file="exports.test.ts" code={exportsTest} />
        <p>
          Run them with <code>node --test</code>, or use the same calls in Vitest or Jest. Jest needs no
          options: the package has CommonJS, too.
        </p>
      </Part>
    </>
  );
}
