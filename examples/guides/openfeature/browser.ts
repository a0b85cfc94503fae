import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature } from '@openfeature/web-sdk';

/** Call it after sign-in. A public key identifies users by their signed token. */
export async function startOpenFeature(publicKey: string, userJwt: string): Promise<void> {
  await OpenFeature.setContext({ userJwt });
  await OpenFeature.setProviderAndWait(
    new OFREPWebProvider({
      baseUrl: 'https://tessera.example',
      headers: [['Authorization', `Bearer ${publicKey}`]],
    }),
  );
}

export function canExport(): boolean {
  return OpenFeature.getClient().getBooleanValue('data-exports', false);
}

export function maxDashboards(): number {
  return OpenFeature.getClient().getNumberValue('dashboards.maxDashboards', 3);
}
