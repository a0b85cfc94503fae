/** For pages that wait for the first call of the API: code that makes one, and where to read more. */
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { clientExample } from './client-example.ts';

/** The client, with a key from the environment. */
export function CallExample() {
  return clientExample({
    origin: window.location.origin,
    type: 'secret',
    subject: { user: 'ada@example.com' },
  });
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
