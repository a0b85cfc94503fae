/**
 * Answers every address that is neither the API's nor a file's: with the console's page, and with 404 where the console has
 * none. The platform serves the files of web/dist itself and calls the Worker for `/` and for what it does not find. A file that is
 * missing, such as one of an earlier release, is a 404 without the page: answered with it, it would be cached for as long as
 * the file, and break the console until its name changes.
 */
import { consolePageAt, type FoundPage } from '#contracts/console/console-page-at';
import { findGuide } from '#contracts/console/guide-list';
import type { Env } from '#worker/env';
import { firstLoadOf, withFirstLoad } from './preload-console.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

const API_PATH = /^\/(api|ofrep|sdk)(\/|$)/;
/** Read by programs, which a page would mislead. */
const FILE_PATH = /^\/(assets|\.well-known)\//;
/** The same, unless it is a page's: a customer's identifier may end like this. */
const TEXT_PATH = /\.(?:md|txt)$/;
/** What a browser asks for when it opens a page. Scripts, styles, images and `fetch` have others. */
const PAGE_DESTINATIONS: ReadonlySet<string> = new Set(['document', 'frame', 'iframe']);

/** Whether the API answers this path: one of `run_worker_first` in wrangler.toml, or what such a path begins with. */
export function isApiPath(pathname: string): boolean {
  return API_PATH.test(pathname);
}

/** The page has the headers of web/public/_headers, and a 404 without it those of the API. */
export async function serveConsole(
  request: Request,
  { ASSETS: assets }: Pick<Env, 'ASSETS'>,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  const { method, headers } = request;
  const destination = headers.get('sec-fetch-dest');
  const isPage = !FILE_PATH.test(pathname) && (destination === null || PAGE_DESTINATIONS.has(destination));
  const isRead = method === 'GET' || method === 'HEAD';
  if (assets === undefined || !isPage || !isRead) {
    return new Response('Not found', { status: 404, headers: SECURITY_HEADERS });
  }
  const page = new URL('/', request.url);
  const found = pageAt(pathname);
  if (found !== null) {
    const first = await firstLoadOf(request, found, assets);
    if (first !== undefined)
      return withFirstLoad(request, await assets.fetch(page, { method }), first, found);
    // With the request's headers: a browser that has the page revalidates it.
    return assets.fetch(page, { method, headers });
  }
  if (TEXT_PATH.test(pathname)) return new Response('Not found', { status: 404, headers: SECURITY_HEADERS });
  const answer = await assets.fetch(page, { method });
  const missing = new Response(answer.body, { status: 404, headers: answer.headers });
  missing.headers.delete('etag');
  missing.headers.set('cache-control', 'no-store');
  return missing;
}

/** Pages whose ids are known here are looked up. */
function pageAt(pathname: string): FoundPage | null {
  const found = consolePageAt(pathname);
  const isUnknownGuide = found?.name === 'docs' && findGuide(found.values[0] ?? '') === undefined;
  return isUnknownGuide ? null : found;
}
