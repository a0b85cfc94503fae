/** How an application installs the client and asks, for pages that show how to call the API. */
import type { ApiKeyType } from '#contracts/public/api-key-type';
import { installCommand } from '#contracts/public/install-command';

export interface ClientExample {
  /** Base URL of the API, which serves the client, too. */
  readonly origin: string;
  readonly type: ApiKeyType;
  /** Absent: a placeholder. */
  readonly key?: string | undefined;
  /** Slug of a feature to ask for. Absent: all are printed. */
  readonly feature?: string | undefined;
  /** The user's identifier or, as `token`, their JWT. */
  readonly subject: { readonly user: string } | { readonly token: string };
}

/** The environment variable from which every example reads its key. */
export const keyVariable = (type: ApiKeyType) => (type === 'secret' ? 'TESSERA_KEY' : 'TESSERA_PUBLIC_KEY');

const literal = (value: string) => `'${JSON.stringify(value).slice(1, -1).replaceAll("'", "\\'")}'`;

/** Secret keys: commands that install, write and run a module. Public keys: the command, and a module for a browser. */
export function clientExample({ origin, type, key, feature, subject }: ClientExample): string {
  const [[name, value] = ['user', '']] = Object.entries(subject);
  const asked = feature === undefined ? 'access.features' : `access.can(${literal(feature)})`;
  if (type === 'public') {
    const token = name === 'token' ? literal(value) : 'null';
    return `${installCommand(origin)}

import { createBrowserTessera } from 'tessera-sdk/browser';

const tessera = createBrowserTessera({
  from: { url: ${literal(origin)}, publicKey: ${literal(key ?? '<public key>')}, token: () => ${token} },
});
const access = await tessera.load();
console.log(${asked});`;
  }
  return `${installCommand(origin)}
export TESSERA_URL=${origin}
export ${keyVariable(type)}=${key ?? '<secret key>'}
cat > check.mjs <<'END'
import { createTessera } from 'tessera-sdk';

const tessera = createTessera(); // reads TESSERA_URL and TESSERA_KEY
const access = await tessera.check({ ${name}: ${literal(value)} });
console.log(${asked});
END
node check.mjs`;
}
