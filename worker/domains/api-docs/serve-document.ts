/**
 * Serves GET /api/v1/openapi.json to anyone, with cache headers and an entity tag (RFC 9110, section 13.1.2). Imported on
 * the first request, so access checks do not pay for it.
 */
import { isKnownTag } from '#engine/access/entity-tag';
import { openApiText } from './api-texts.ts';

/** @param serverUrl the API's origin */
export async function serveDocument(
  request: Request,
  serverUrl: string,
  requestId: string,
): Promise<Response> {
  const { text, tag } = await openApiText(serverUrl);
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
