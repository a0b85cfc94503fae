/** The customer that a page's path names. */
import { readStoredIdentifier } from '#contracts/public/identifiers';
import { readIdentifierSegment } from '#engine/identity/identifier-segment';

/**
 * @param segment as it is in the path, because the router decodes an encoded slash into a path separator
 * @returns canonical or as stored; null if it is invalid
 */
export function identifierInPath(segment: string): string | null {
  try {
    return readStoredIdentifier(readIdentifierSegment(decodeURIComponent(segment)));
  } catch {
    return null;
  }
}
