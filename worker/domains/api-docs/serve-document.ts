/**
 * Serves GET /api/v1/openapi.json to anyone, with cache headers and an entity tag (RFC 9110, section 13.1.2). Imported on
 * the first request, so access checks do not pay for it.
 */

import { isKnownTag } from '#engine/access/entity-tag';
import { sha256Hex } from '#runtime/hash';
import { buildDocument } from './build-document.ts';

interface Served {
  readonly serverUrl: string;
  readonly text: string;
  readonly tag: string;
}

let served: Served | undefined;

/** @param serverUrl the API's origin */
export async function serveDocument(
  request: Request,
  serverUrl: string,
  requestId: string,
): Promise<Response> {
  if (served?.serverUrl !== serverUrl) served = await write(serverUrl);
  const { text, tag } = served;
  const headers = {
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=300',
    etag: tag,
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  };
  if (isKnownTag(request, tag)) return new Response(null, { status: 304, headers });
  return new Response(request.method === 'HEAD' ? null : text, {
    headers: { ...headers, 'content-type': 'application/json' },
  });
}

async function write(serverUrl: string): Promise<Served> {
  const text = JSON.stringify(buildDocument(serverUrl));
  return { serverUrl, text, tag: `"${(await sha256Hex(text)).slice(0, 32)}"` };
}
