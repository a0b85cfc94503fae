/** How an application installs the client and asks, for pages that show how to call the API. */
import type { ApiKeyType } from '#contracts/public/api-key-type';
import { SDK_VERSION, sdkFileName } from '#contracts/public/sdk-package';

export interface ClientExample {
  /** Base URL of the API, which serves the client, too. */
  readonly origin: string;
  readonly type: ApiKeyType;
  /** Absent: the code reads the environment variable TESSERA_KEY. */
  readonly key?: string | undefined;
  /** Slug of a feature to ask for. Absent: all are printed. */
  readonly feature?: string | undefined;
  /** The user's identifier or, as `token`, their JWT. */
  readonly subject: { readonly user: string } | { readonly token: string };
}

/** A command, an empty line, and a module for Node, or for a browser if the key is public. */
export function clientExample({ origin, type, key, feature, subject }: ClientExample): string {
  const text = (value: string) => `'${JSON.stringify(value).slice(1, -1).replaceAll("'", "\\'")}'`;
  const [[name, value] = ['user', '']] = Object.entries(subject);
  const install = `npm i ${origin}/sdk/${sdkFileName(SDK_VERSION)}`;
  const asked = feature === undefined ? 'access.features' : `access.can(${text(feature)})`;
  if (type === 'public') {
    const shownKey = key === undefined ? "'<public key>'" : text(key);
    const token = name === 'token' ? text(value) : 'null';
    return `${install}

import { createBrowserTessera } from 'tessera-sdk/browser';

const tessera = createBrowserTessera({
  from: { url: ${text(origin)}, publicKey: ${shownKey}, token: () => ${token} },
});
const access = await tessera.load();
console.log(${asked});`;
  }
  const shownKey = key === undefined ? 'process.env.TESSERA_KEY' : text(key);
  return `${install}

import { createTessera } from 'tessera-sdk';

const tessera = createTessera({ url: ${text(origin)}, key: ${shownKey} });
const access = await tessera.check({ ${name}: ${text(value)} });
console.log(${asked});`;
}
