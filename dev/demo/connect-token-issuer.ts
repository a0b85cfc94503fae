// Connects the issuer of the tokens that the demo organisation's customers bring along. Its key pair is made on the spot,
// and nobody keeps the private half: no token of this issuer will ever be seen.
import { generateKeyPairSync } from 'node:crypto';
import { jwtIntegrationEndpoints } from '#contracts/integrations';
import type { Workspace } from './workspace.ts';

export async function ensureTokenIssuer({ session, orgId }: Workspace): Promise<void> {
  const params = { orgId };
  const standing = await session.call(jwtIntegrationEndpoints.list, { params });
  if (standing.length > 0) return;
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await session.call(jwtIntegrationEndpoints.create, {
    params,
    body: {
      name: 'Acme sign-in',
      description: 'Tokens that the app gets when somebody signs in.',
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      claimKey: 'email',
      claimIndex: 'email',
      aud: 'https://app.acme-analytics.example',
      iss: 'https://accounts.acme-analytics.example',
    },
  });
}
