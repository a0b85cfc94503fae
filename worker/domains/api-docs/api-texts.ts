/**
 * The public API's description as text: the OpenAPI document, and the reference in Markdown. Writing one takes about 50 ms, so each is kept for
 * the last origin. Imported on the first request, so access checks do not pay for it.
 */
import type { OpenApiDocument } from '#contracts/public/openapi';
import { sha256Hex } from '#runtime/hash';
import { buildDocument } from './build-document.ts';
import { writeReference } from './write-reference.ts';

export interface ApiText {
  readonly text: string;
  /** Its entity tag (RFC 9110, section 8.8.3). */
  readonly tag: string;
}

function keepLast(write: (document: OpenApiDocument) => string) {
  let kept: (ApiText & { readonly serverUrl: string }) | undefined;
  return async (serverUrl: string): Promise<ApiText> => {
    if (kept?.serverUrl === serverUrl) return kept;
    const text = write(buildDocument(serverUrl));
    kept = { serverUrl, text, tag: `"${(await sha256Hex(text)).slice(0, 32)}"` };
    return kept;
  };
}

/** @param serverUrl the API's origin */
export const openApiText = keepLast((document) => JSON.stringify(document));

/** @param serverUrl the API's origin */
export const referenceText = keepLast(writeReference);
