// The script of the page: what the test calls in the browser.
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { createBrowserTessera } from '../../packages/sdk/browser.ts';
import { App, type AppProps, rendered } from './app.ts';

const recovered: string[] = [];
let root: Root | null = null;
const client = createBrowserTessera({ from: { handler: '/entitlements' } });
const place = () => document.getElementById('root') as HTMLElement;

const page = {
  rendered,
  recovered,
  client,
  hydrate(props: AppProps) {
    const onRecoverableError = (error: unknown) => recovered.push(String(error));
    root = hydrateRoot(place(), createElement(App, props), { onRecoverableError });
  },
  render(props: AppProps & { readonly isShared?: boolean }) {
    root ??= createRoot(place());
    const { isShared, ...own } = props;
    flushSync(() => root?.render(createElement(App, isShared === true ? { ...own, client } : own)));
  },
};
export type ReactPage = typeof page;
Object.assign(globalThis, { app: page });
