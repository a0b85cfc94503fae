/**
 * The console's page for every address that is neither the API's nor a file's. The platform serves the files of web/dist
 * itself and calls the Worker for what it does not find. A file that is missing, such as one of an earlier release, is a
 * 404: answered with the page, it would be cached for as long as the file, and break the console until its name changes.
 */
import type { Env } from '#worker/env';
import { SECURITY_HEADERS } from './security-headers.ts';

const API_PATH = /^\/(api|dev)(\/|$)/;
const FILE_PATH = /^\/assets\//;
/** What a browser asks for when it opens a page. Scripts, styles, images and `fetch` have others. */
const PAGE_DESTINATIONS: ReadonlySet<string> = new Set(['document', 'frame', 'iframe']);

/** Whether the API answers this path: one of `run_worker_first` in wrangler.toml, or what such a path begins with. */
export function isApiPath(pathname: string): boolean {
  return API_PATH.test(pathname);
}

/** The page has the headers of web/public/_headers, and a 404 those of the API. */
export async function serveConsole(
  request: Request,
  { ASSETS: assets }: Pick<Env, 'ASSETS'>,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  const destination = request.headers.get('sec-fetch-dest');
  const isPage = !FILE_PATH.test(pathname) && (destination === null || PAGE_DESTINATIONS.has(destination));
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (assets === undefined || !isPage || !isRead) {
    return new Response('Not found', { status: 404, headers: SECURITY_HEADERS });
  }
  // With the request's headers: a browser that has the page revalidates it.
  return assets.fetch(new URL('/', request.url), { method: request.method, headers: request.headers });
}
