import { useSyncExternalStore } from 'react';
import { TesseraProvider, useCan } from 'tessera-sdk/react';
import { auth } from './auth';

const from = {
  url: import.meta.env.VITE_TESSERA_URL,
  publicKey: import.meta.env.VITE_TESSERA_PUBLIC_KEY,
  token: auth.token,
};

export function App() {
  const user = useSyncExternalStore(auth.onChange, auth.userId, auth.userId);
  return (
    <TesseraProvider from={from} user={user}>
      <ShareButton />
    </TesseraProvider>
  );
}

function ShareButton() {
  const canShare = useCan('dashboards.publicSharing', { fallback: false });
  return (
    <button type="button" disabled={!canShare}>
      Share
    </button>
  );
}
