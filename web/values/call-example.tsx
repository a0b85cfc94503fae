/** For pages that wait for the first call of the API: code that makes one, and where to read more. */
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { CodeBlock } from '#web/ui/code/code-block.tsx';
import { clientExample } from './client-example.ts';

/** The client, with a key from the environment. */
export function CallExample() {
  const { origin } = window.location;
  const code = clientExample({ origin, type: 'secret', subject: { user: 'ada@example.com' } });
  return <CodeBlock label="a first call" head="Terminal" code={code} />;
}

export function CallDocsLink() {
  return (
    <>
      <Link to={paths.docs()}>Guides for your framework</Link>
      {' · '}
      <Link to={paths.apiDocsSection('access-checks')}>How to call the API</Link>
    </>
  );
}
