// The application of the tests of tessera-sdk/react: rendered on the server by Node, and hydrated by the browser.
import { createElement as h, type ReactElement, StrictMode, Suspense } from 'react';
import type { BrowserTessera } from '../../packages/sdk/browser.ts';
import type { AccessJson } from '../../packages/sdk/index.ts';
import {
  Gate,
  TesseraProvider,
  useAccess,
  useAccessSuspended,
  useCan,
  useMeter,
  useValue,
} from '../../packages/sdk/react.ts';

/** What was rendered, in order: the component and its text. */
export const rendered: [string, string][] = [];

function shown(name: string, text: unknown): ReactElement {
  rendered.push([name, String(text)]);
  return h('span', { id: name }, String(text));
}

const Rows = () => shown('rows', useValue('reports.rows', { fallback: 0 }));
const Runs = () => {
  const meter = useMeter('reports.runs');
  return shown('runs', meter?.state === 'metered' ? meter.used : 'none');
};
const Can = () => shown('can', useCan('reports', { fallback: false }));
const Status = () => shown('status', useAccess().status);
const Suspended = () => shown('suspended', useAccessSuspended().get('reports.rows'));
const Gated = () =>
  h(
    'div',
    null,
    h(Gate, { allow: 'reports', loading: shown('gate-loading', '…') }, h('span', { id: 'allowed' }, 'in')),
    h(Gate, { allow: 'sso', otherwise: h('span', { id: 'denied' }, 'out') }, 'never'),
  );

export interface AppProps {
  readonly bootstrap?: AccessJson | null;
  readonly client?: BrowserTessera;
  readonly isStrict?: boolean;
  readonly isSuspending?: boolean;
}

export function App({ bootstrap, client, isStrict = false, isSuspending = false }: AppProps): ReactElement {
  const suspended = h(Suspense, { fallback: shown('waiting', '…') }, h(Suspended));
  const children = isSuspending ? suspended : h('main', null, h(Rows), h(Runs), h(Can), h(Status), h(Gated));
  const provider =
    client === undefined
      ? h(TesseraProvider, { from: { handler: '/entitlements' }, bootstrap: bootstrap ?? null }, children)
      : h(TesseraProvider, { client }, children);
  return isStrict ? h(StrictMode, null, provider) : provider;
}
