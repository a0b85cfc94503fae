/**
 * Makes the console's page name what it needs, in a browser with a session: the files of the page at the address, and the calls that it
 * begins with, which public/apply-theme.js starts while the files load. The build lists both (web/bundling/preload-page.ts).
 */
import type { FoundPage } from '#contracts/console/console-page-at';
import {
  FIRST_LOADS_PATH,
  type FirstLoad,
  ID_PLACE,
  ORGANISATION_PLACE,
} from '#contracts/console/first-load';

/** With the prefix that it has over https. Whether the session is valid is for the calls to say. */
const HAS_SESSION = /(?:^|; )(?:__Secure-)?better-auth\.session_token=[^;]/;

/** @returns undefined without a session, and for a page that begins like the others */
export async function firstLoadOf(
  { headers, url }: Request,
  { name }: FoundPage,
  assets: Pick<Fetcher, 'fetch'>,
): Promise<FirstLoad | undefined> {
  if (!HAS_SESSION.test(headers.get('cookie') ?? '')) return undefined;
  const answer = await assets.fetch(new URL(FIRST_LOADS_PATH, url));
  return answer.ok ? (await answer.json<Record<string, FirstLoad>>())[name] : undefined;
}

/** The answer has no validator: the same address is another page once the session has ended. */
export function withFirstLoad(page: Response, { files, calls }: FirstLoad, { values }: FoundPage): Response {
  const [orgId = '', id = ''] = values.map((value = '') => encodeURIComponent(decoded(value)));
  const named = calls.map((call) => call.replace(ORGANISATION_PLACE, orgId).replace(ID_PLACE, id));
  const answer = new HTMLRewriter()
    .on('html', {
      element: (html) => void html.setAttribute('data-first-calls', named.join(' ').replaceAll('&', '&amp;')),
    })
    .on('head', { element: (head) => void head.prepend(files.map(linkTo).join(''), { html: true }) })
    .transform(page);
  answer.headers.delete('etag');
  answer.headers.set('cache-control', 'private, max-age=0, must-revalidate');
  return answer;
}

function linkTo(file: string): string {
  const kind = file.endsWith('.css') ? 'style' : file.endsWith('.js') ? '' : 'font';
  const relation = kind === '' ? 'rel="modulepreload"' : `rel="preload" as="${kind}"`;
  return `<link ${relation} crossorigin href="/${file}">`;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
