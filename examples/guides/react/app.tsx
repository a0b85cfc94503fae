import { TesseraProvider } from 'tessera-sdk/react';
import { tessera } from './tessera';
import { Toolbar } from './toolbar';

export function App() {
  return (
    <TesseraProvider client={tessera}>
      <Toolbar />
    </TesseraProvider>
  );
}
