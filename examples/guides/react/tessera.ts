import { createBrowserTessera } from 'tessera-sdk/browser';
import { userToken } from './session';

export const tessera = createBrowserTessera({
  from: {
    url: import.meta.env.VITE_TESSERA_URL,
    publicKey: import.meta.env.VITE_TESSERA_PUBLIC_KEY,
    token: userToken,
  },
});
