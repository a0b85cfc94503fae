/** How an application installs the client from a server, on pages and in Markdown. */
import { SDK_VERSION, sdkFileName } from './sdk-package.ts';

/** The server's address in the guides and their examples: what shows them puts its own in its place. */
export const EXAMPLE_ORIGIN = 'https://tessera.example';

const LOCAL_HOST = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Whether a server's address means something on its own machine only. */
export const isLocalOrigin = (origin: string) =>
  URL.canParse(origin) && LOCAL_HOST.test(new URL(origin).hostname);

/** npm writes the address of what it installs into package-lock.json: a local server's package is installed as a file. */
export function installCommand(origin: string): string {
  const file = sdkFileName(SDK_VERSION);
  const url = `${origin}/sdk/${file}`;
  return isLocalOrigin(origin) ? `npm pack ${url}\nnpm i ./${file}` : `npm i ${url}`;
}

/** Beside the command of a local server. */
export const LOCAL_INSTALL_NOTE =
  'A local server’s address must not get into package-lock.json, so npm pack keeps the package as a file: commit it.';
