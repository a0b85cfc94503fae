import type { ReactNode } from 'react';
import { TesseraProvider } from 'tessera-sdk/react';
import { currentCustomer } from '../lib/customer';
import { tessera } from '../lib/tessera';

export default async function RootLayout({ children }: { children: ReactNode }) {
  const user = await currentCustomer();
  const access = await tessera.check(user === null ? { anonymous: true } : { user }).catch(() => null);
  return (
    <html lang="en">
      <body>
        <TesseraProvider from={{ handler: '/entitlements' }} bootstrap={access?.toJSON() ?? null}>
          {children}
        </TesseraProvider>
      </body>
    </html>
  );
}
