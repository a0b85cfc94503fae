/**
 * A customer's identifier as one segment of a URL's path. Segments of nothing but one or two dots mean something else to
 * every client, encoded or not, so these stand behind a tilde.
 */
export function identifierSegment(identifier: string): string {
  return encodeURIComponent(/^~*\.{1,2}$/.test(identifier) ? `~${identifier}` : identifier);
}

/** @param segment decoded */
export function readIdentifierSegment(segment: string): string {
  return /^~+\.{1,2}$/.test(segment) ? segment.slice(1) : segment;
}
