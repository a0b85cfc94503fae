/**
 * GET /sdk/tessera-sdk-<version>.tgz: a package of the client, immutable, so that `npm ci` finds the bytes whose hash a lock file has. Old
 * versions stay. /sdk/latest redirects people to the version of this release.
 */
import { SDK_VERSION, sdkFileName } from '#contracts/public/sdk-package';
import { SECURITY_HEADERS } from '#worker/http/security-headers';
import { sdkKey } from './keep-sdk-package.ts';

const PACKAGE_PATH = /^\/sdk\/(tessera-sdk-\d+\.\d+\.\d+(?:-[a-z0-9.]+)?\.tgz)$/;

export async function serveSdkPackage(
  { method, headers }: Request,
  bucket: R2Bucket,
  pathname: string,
): Promise<Response> {
  if (method !== 'GET' && method !== 'HEAD') return refuse(405, { allow: 'GET, HEAD' });
  if (pathname === '/sdk/latest') return refuse(302, { location: `/sdk/${sdkFileName(SDK_VERSION)}` });
  const [, fileName] = PACKAGE_PATH.exec(pathname) ?? [];
  const object = fileName === undefined ? null : await bucket.get(sdkKey(fileName));
  if (object === null) return refuse(404);
  const answer = {
    ...SECURITY_HEADERS,
    'cache-control': 'public, max-age=31536000, immutable',
    etag: object.httpEtag,
  };
  if (headers.get('if-none-match') === object.httpEtag)
    return new Response(null, { status: 304, headers: answer });
  return new Response(method === 'HEAD' ? null : object.body, {
    headers: { ...answer, 'content-type': 'application/gzip', 'content-length': String(object.size) },
  });
}

function refuse(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers: { ...SECURITY_HEADERS, ...headers } });
}
