/** For pages that wait for the first call of the API: a command that makes one, and where to read more. */
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';

/** An access check. The key is for the reader to insert. */
export function CallExample() {
  return `curl ${window.location.origin}/api/v1/access-checks \\
  -H "Authorization: Bearer <key>" \\
  -H "Content-Type: application/json" \\
  -d '{ "userIdentifier": "ada@example.com" }'`;
}

export function CallDocsLink() {
  return <Link to={paths.apiDocsSection('access-checks')}>How to call the API</Link>;
}
