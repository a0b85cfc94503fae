import browser from '../../../../examples/guides/openfeature/browser.ts?raw';
import curl from '../../../../examples/guides/openfeature/flag.sh?raw';
import java from '../../../../examples/guides/openfeature/Main.java?raw';
import go from '../../../../examples/guides/openfeature/main.go?raw';
import python from '../../../../examples/guides/openfeature/main.py?raw';
import rust from '../../../../examples/guides/openfeature/main.rs?raw';
import dotnet from '../../../../examples/guides/openfeature/Program.cs?raw';
import server from '../../../../examples/guides/openfeature/server.ts?raw';
import { GuideLink, Part, Snippet } from '../parts/guide-parts.tsx';

const SERVERS = [
  { language: 'Java', file: 'Main.java', code: java, install: 'dev.openfeature.contrib.providers:ofrep' },
  { language: 'Python', file: 'main.py', code: python, install: 'pip install openfeature-provider-ofrep' },
  {
    language: 'Go',
    file: 'main.go',
    code: go,
    install: 'go get github.com/open-feature/go-sdk-contrib/providers/ofrep',
  },
  {
    language: '.NET',
    file: 'Program.cs',
    code: dotnet,
    install: 'dotnet add package OpenFeature.Providers.Ofrep',
  },
  {
    language: 'Rust',
    file: 'main.rs',
    code: rust,
    install: 'cargo add open-feature open-feature-ofrep reqwest tokio --features tokio/full',
  },
  {
    language: 'Node',
    file: 'server.ts',
    code: server,
    install: 'npm i @openfeature/server-sdk @openfeature/ofrep-provider',
  },
];

export function OpenFeatureGuide() {
  return (
    <>
      <p>
        Tessera speaks OFREP, the protocol of OpenFeature. The standard providers read entitlements as flags
        in any language, with their hooks and bindings. TypeScript apps get more from the{' '}
        <GuideLink to="">client</GuideLink>: caching, fallbacks during an outage, and usage.
      </p>
      <Part title="Flags">
        <ul>
          <li>
            <code>data-exports</code> is the feature’s verdict, a boolean.
          </li>
          <li>
            <code>dashboards.maxDashboards</code> is a property: a boolean, a number or a string.
          </li>
          <li>
            <code>data-exports.exports</code> is a meter: an object with <code>allowed</code>,{' '}
            <code>used</code>, <code>limit</code> and <code>remaining</code>.
          </li>
        </ul>
        <p>
          <code>targetingKey</code> names the customer: a Stripe customer ID, an email or your own ID. With a
          public key, put the user’s token into <code>userJwt</code> of the context instead.
        </p>
        <Snippet file="Terminal" code={curl} />
        <p>
          The <code>variant</code> is <code>on</code> or <code>off</code>, or else the plan that decides the
          value. Ask for a whole number as an integer: Python and Java report a type mismatch if you ask for a
          float.
        </p>
        <p>
          The JavaScript code on this page runs in our tests. The other languages’ responses are tested
          against what their standard providers read.
        </p>
      </Part>
      {SERVERS.map(({ language, file, code, install }) => (
        <Part key={language} title={language}>
          <p>
            <code>{install}</code>
          </p>
          <Snippet file={file} code={code} />
        </Part>
      ))}
      <Part title="Browser">
        <p>
          <code>npm i @openfeature/web-sdk @openfeature/ofrep-web-provider</code>
        </p>
        <Snippet file="browser.ts" code={browser} />
      </Part>
      <Part title="Count usage">
        <p>
          Flags only read. To count, call <code>POST /api/v1/counter-updates</code> with the same key, from
          any language that speaks HTTP.
        </p>
      </Part>
    </>
  );
}
