/**
 * A customer's identifier as one segment of a URL's path. Some servers take an encoded slash for a slash, and every client
 * takes a segment of nothing but one or two dots for a step in the tree, encoded or not: such characters are written as a
 * tilde and their code in hexadecimal, and so is the tilde itself.
 */
const SPECIAL = /[~/\\]|^\.{1,2}$/g;

export function identifierSegment(identifier: string): string {
  return encodeURIComponent(identifier.replace(SPECIAL, escaped));
}

/** @param segment decoded once, as a router gives it */
export function readIdentifierSegment(segment: string): string {
  return segment.replace(/~([0-9A-F]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function escaped(text: string): string {
  let written = '';
  for (const character of text) written += `~${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return written;
}
