import { createBrowserTessera } from 'tessera-sdk/browser';
import { auth } from './auth';

export const tessera = createBrowserTessera({
  from: {
    url: import.meta.env.VITE_TESSERA_URL,
    publicKey: import.meta.env.VITE_TESSERA_PUBLIC_KEY,
    token: auth.token,
  },
});

let shownTo = auth.userId();
auth.onChange(() => {
  // A renewed token is the same user's, whose answers stay.
  if (auth.userId() === shownTo) return;
  shownTo = auth.userId();
  tessera.reset();
});
