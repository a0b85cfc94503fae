import { ExportButton } from './export-button';
import { SignIn } from './sign-in';
import { currentCustomer, tessera } from './tessera';

/** A server component decides before anything is sent. */
export default async function Page() {
  const customer = await currentCustomer();
  if (customer === null) return <SignIn />;
  const on = { user: customer };
  const hasApi = await tessera.can('api-access', { on, fallback: false });
  // Whatever the limit, usage is counted: it waits in a buffer, and the page does not.
  tessera.count('api-access.requests', { on });
  return (
    <main>
      <h1>Reports of {customer}</h1>
      <p>{hasApi ? 'Your plan has API access.' : 'Your plan has no API access.'}</p>
      <ExportButton />
    </main>
  );
}
