// Adds a JWT integration to the demo organisation. The private key is discarded, so no token of this issuer can exist.
import { generateKeyPairSync } from 'node:crypto';
import { jwtIntegrationEndpoints } from '#contracts/console/integrations';
import type { Workspace } from '../workspace/build-workspace.ts';

export async function ensureTokenIssuer({ session, orgId }: Workspace): Promise<void> {
  const params = { orgId };
  const existing = await session.call(jwtIntegrationEndpoints.list, { params });
  if (existing.length > 0) return;
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await session.call(jwtIntegrationEndpoints.create, {
    params,
    body: {
      name: 'Acme sign-in',
      description: 'Tokens that the app gets when a user signs in.',
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      claimKey: 'email',
      claimIndex: 'email',
      aud: 'https://app.acme-analytics.example',
      iss: 'https://accounts.acme-analytics.example',
    },
  });
}
