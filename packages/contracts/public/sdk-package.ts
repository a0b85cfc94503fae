/** The client package that the server serves, and that the console's examples install. `npm run sdk` compares it with packages/sdk. */
export const SDK_NAME = 'tessera-sdk';
export const SDK_VERSION = '0.1.0';

/** Below /sdk. */
export function sdkFileName(version: string): string {
  return `${SDK_NAME}-${version}.tgz`;
}
