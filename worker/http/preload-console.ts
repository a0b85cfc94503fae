/**
 * Makes the console's page name what it needs, in a browser with a session: the files of the page at the address, and the calls that it
 * begins with, which public/apply-theme.js starts while the files load. Until then it shows the page's heading. The build lists all three
 * (web/bundling/preload-page.ts).
 */
import { html } from 'hono/html';
import type { FoundPage } from '#contracts/console/console-page-at';
import {
  FIRST_LOADS_PATH,
  type FirstHead,
  type FirstLoad,
  ID_PLACE,
  ORGANISATION_PLACE,
} from '#contracts/console/first-load';
import { readIdentifierSegment } from '#engine/identity/identifier-segment';

/** With the prefix that it has over https. Whether the session is valid is for the calls to say. */
const HAS_SESSION = /(?:^|; )(?:__Secure-)?better-auth\.session_token=[^;]/;

/** web/shell/sidebar-state.ts. */
const IS_COLLAPSED = /(?:^|; )sidebar_state=false(?:;|$)/;

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
export function withFirstLoad(
  { headers }: Request,
  page: Response,
  { files, calls, head }: FirstLoad,
  { values }: FoundPage,
): Response {
  const known = values.map((value = '') => decoded(value));
  const [orgId = '', id = ''] = known.map(encodeURIComponent);
  const named = calls.map((call) => call.replace(ORGANISATION_PLACE, orgId).replace(ID_PLACE, id));
  const answer = new HTMLRewriter()
    .on('html', {
      element: (html) => void html.setAttribute('data-first-calls', named.join(' ').replaceAll('&', '&amp;')),
    })
    .on('head', { element: (head) => void head.append(files.map(linkTo).join(''), { html: true }) })
    .on('#root', {
      element: (root) =>
        void (
          head && root.prepend(headText(head, known[1] ?? '', headers.get('cookie') ?? ''), { html: true })
        ),
    })
    .transform(page);
  answer.headers.delete('etag');
  answer.headers.set('cache-control', 'private, max-age=0, must-revalidate');
  return answer;
}

/** Drawn where the page draws its own (web/theme/first-head.css). Screen readers hear that alone. @param id of the path */
function headText({ title, subtitle }: FirstHead, id: string, cookies: string): string {
  const sidebar = IS_COLLAPSED.test(cookies) ? 'collapsed' : 'expanded';
  const heading = title === ID_PLACE ? readIdentifierSegment(id) : title;
  return `${html`<div class="first-head" data-sidebar="${sidebar}" aria-hidden="true"><div><b>${heading}</b><p>${subtitle}</p></div></div>`}`;
}

/** What draws the heading comes first. */
function linkTo(file: string): string {
  const kind = file.endsWith('.css') ? 'style' : file.endsWith('.js') ? '' : 'font';
  const relation = kind === '' ? 'rel="modulepreload"' : `rel="preload" as="${kind}"`;
  return `<link ${relation} fetchpriority="low" crossorigin href="/${file}">`;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
