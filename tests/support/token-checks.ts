// Access checks with tokens: a tenant whose signed-in users have a plan, its integrations, and what a check makes of a token.
import { expect } from 'vitest';
import type { JwtIntegration } from '#contracts/console/integrations';
import type { JwtIssuer } from '#contracts/internal/snapshot';
import type { Claims, Signer } from '#lab/fixtures/tokens';
import { check } from './access-checks.ts';
import { newTenant, type Tenant } from './tenants.ts';
import { newWorkspace } from './workspaces.ts';

export const ADA = { email: 'Ada@Example.com' };

export interface Asked {
  readonly tenant: Tenant;
  /** A secret key of the preview environment. */
  readonly secret: string;
  /** A public key of the preview environment. */
  readonly open: string;
}

/** Everyone has 5 seats; users who are signed in have 50. */
export async function newAsked(): Promise<Asked> {
  const tenant = await newTenant();
  const workspace = await newWorkspace(tenant, 5);
  const { planId } = await tenant.make<{ planId: string }>('POST', '/plans', {
    name: 'Known',
    slug: 'known',
  });
  await tenant.make('PUT', `/plans/${planId}`, { grantToAuthenticatedUsers: true });
  await tenant.make('PUT', `/plans/${planId}/versions/1`, {
    properties: { [workspace.feature.id]: [{ id: workspace.seats.id, type: 'number', value: 50 }] },
  });
  const preview = await tenant.previewId();
  const secret = (await tenant.key(preview, 'secret')).value;
  const open = (await tenant.key(preview, 'public')).value;
  return { tenant, secret, open };
}

/** Creates an integration that finds the subject's email in the claim `email`. */
export function integrate(tenant: Tenant, publicKey: string, further: Claims = {}): Promise<JwtIntegration> {
  return tenant.make('POST', '/integrations/jwt', {
    name: 'Our sign-in',
    publicKey,
    claimKey: 'email',
    claimIndex: 'email',
    ...further,
  });
}

/** `verified`, or the code of the warning with which the token's bearer was treated as anonymous. */
export async function outcome(key: string, userJwt: string): Promise<string> {
  const { identity, warnings } = await check(key, { userJwt });
  expect(identity).toEqual(
    warnings.length === 0
      ? { isAuthenticated: true, method: 'jwt' }
      : { isAuthenticated: false, method: 'anonymous' },
  );
  return warnings[0]?.code ?? 'verified';
}

/** An issuer that trusts the signer and finds the subject's email in the claim `email`. */
export function issuerOf({ jwk }: Signer, further: Partial<JwtIssuer> = {}): JwtIssuer {
  const keys = [jwk as JwtIssuer['keys'][number]];
  return {
    id: 'jwt_1',
    claimKey: 'email',
    claimIndex: 'email',
    audience: null,
    issuer: null,
    keys,
    ...further,
  };
}
