import type { ReactNode } from 'react';
import { TesseraProvider } from 'tessera-sdk/react';
import { currentCustomer, tessera } from './tessera';

/** The first render has the customer's answers, on the server and in the browser: nothing flickers. Without them it has the fallbacks. */
export default async function Layout({ children }: { children: ReactNode }) {
  const customer = await currentCustomer();
  const access = customer === null ? null : await tessera.check({ user: customer }).catch(() => null);
  return (
    <html lang="en">
      <body>
        <TesseraProvider key={customer} from={{ handler: '/entitlements' }} bootstrap={access?.toJSON()}>
          {children}
        </TesseraProvider>
      </body>
    </html>
  );
}
