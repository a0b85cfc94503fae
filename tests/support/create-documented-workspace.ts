// Creates the workspace that the public API's examples and the conformance suite use: exports per month, seats per lifetime,
// and two plans that configure them. It needs nothing but the console API, so it works in workerd and over HTTP.
import { jwtIntegrationEndpoints } from '#contracts/console/integrations';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import type { PropertyType, PropertyValue } from '#contracts/public/values';
import { createFeature, createKey, createPlan, type Workspace } from '../../dev/workspace/build-workspace.ts';
import { perMonth, tenSeats } from './documented-version.ts';
import { newSigner, type Signer } from './tokens.ts';

export interface CreatedWorkspace {
  readonly freePlanId: string;
  /** Keys of the preview environment; the secret one manages customers. */
  readonly keys: { readonly [Type in ApiKeyType]: string };
  /** Signs tokens that the workspace accepts; the claim `email` identifies the user. */
  readonly signer: Signer;
}

const typeOf = (value: PropertyValue) =>
  (typeof value === 'object' ? 'meterable' : typeof value) as PropertyType;

export async function createDocumentedWorkspace(
  workspace: Workspace,
  previewId: string,
): Promise<CreatedWorkspace> {
  const feature = (slug: string, defaults: Record<string, PropertyValue>) => {
    const properties = Object.entries(defaults).map(([propertyKey, value]) => ({
      name: propertyKey,
      propertyKey,
      type: typeOf(value),
      value,
    }));
    return createFeature(workspace, { name: slug, slug, properties });
  };
  const features = [
    await feature('dashboards', { maxDashboards: 3, publicSharing: false }),
    await feature('data-exports', { exports: { state: 'off' }, formats: 'csv' }),
    await feature('team-seats', { seats: { state: 'off' }, guests: false }),
  ];
  const { planId: freePlanId } = await createPlan(
    workspace,
    { name: 'Free', slug: 'free', grantToAnonymousSessions: true, values: { dashboards: {} } },
    features,
  );
  const values = {
    dashboards: { maxDashboards: 25, publicSharing: true },
    'data-exports': { exports: perMonth, formats: 'csv,xlsx' },
    'team-seats': { seats: tenSeats, guests: true },
  };
  const team = { name: 'Team', slug: 'team', grantToAuthenticatedUsers: true, values };
  await createPlan(workspace, team, features);

  const signer = await newSigner();
  await workspace.session.call(jwtIntegrationEndpoints.create, {
    params: { orgId: workspace.orgId },
    body: { name: 'Identity provider', claimKey: 'email', claimIndex: 'email', publicKey: signer.pem },
  });
  const keys = {
    secret: await createKey(workspace, previewId, 'secret', true),
    public: await createKey(workspace, previewId, 'public'),
  };
  return { freePlanId, keys, signer };
}
