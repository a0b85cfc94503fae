/**
 * The documentation as text, for anyone: each guide at its address with .md, llms.txt, which lists them, and the API reference at
 * /api-docs.md. The build writes guides and list (web/bundling/guides) for an example's address, which becomes the server's own here.
 */
import { fillIn } from '#contracts/public/fill-in';
import { isKnownTag } from '#engine/access/entity-tag';
import { sha256Hex } from '#runtime/hash';
import { type Env, settingsOf } from '#worker/env';
import { SECURITY_HEADERS } from '#worker/http/security-headers';

const REFERENCE_PATH = '/api-docs.md';
const MARKDOWN_PATH = /^\/(?:llms\.txt|api-docs\.md|docs(?:\/.*)?\.md)$/;

/** Whether programs read this path as text: among them those of guides that do not exist. */
export const isMarkdownPath = (pathname: string): boolean => MARKDOWN_PATH.test(pathname);

export async function serveMarkdown(request: Request, env: Env, pathname: string): Promise<Response> {
  const { method } = request;
  if (method !== 'GET' && method !== 'HEAD') return respond(request, 405, '', { allow: 'GET, HEAD' });
  const { baseUrl } = settingsOf(env);
  const text = await textAt(request, env, pathname, baseUrl);
  if (text === null) {
    return respond(request, 404, `There is no such page. ${baseUrl}/llms.txt lists all of them.\n`, {
      'content-type': 'text/plain; charset=utf-8',
    });
  }
  const tag = `"${(await sha256Hex(text)).slice(0, 32)}"`;
  const headers = {
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=0, must-revalidate',
    'content-type': `text/${pathname.endsWith('.md') ? 'markdown' : 'plain'}; charset=utf-8`,
    etag: tag,
  };
  return isKnownTag(request, tag)
    ? respond(request, 304, null, headers)
    : respond(request, 200, text, headers);
}

/** Null: there is none. */
async function textAt(
  { url }: Request,
  { ASSETS: assets }: Env,
  pathname: string,
  baseUrl: string,
): Promise<string | null> {
  if (pathname === REFERENCE_PATH) {
    const { referenceText } = await import('./api-texts.ts');
    return (await referenceText(baseUrl)).text;
  }
  const answer = await assets?.fetch(new URL(pathname, url));
  return answer?.status === 200 ? fillIn(await answer.text(), baseUrl) : null;
}

function respond(
  { method }: Request,
  status: number,
  text: string | null,
  headers: Record<string, string>,
): Response {
  return new Response(method === 'HEAD' ? null : text, {
    status,
    headers: { ...SECURITY_HEADERS, ...headers },
  });
}
