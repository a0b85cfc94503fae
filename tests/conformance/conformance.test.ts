// The conformance suite over HTTP, against the server that `npm run conformance` names.
import { importJWK, SignJWT } from 'jose';
import { inject } from 'vitest';
import { describeConformance } from './suite/describe-conformance.ts';

describeConformance(async () => {
  const { url, signingKey, ...keys } = inject('conformanceTarget');
  const privateKey = await importJWK(signingKey, 'ES256');
  return {
    ...keys,
    fetch: (path, init) => fetch(`${url}${path}`, init),
    sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(privateKey),
  };
});
