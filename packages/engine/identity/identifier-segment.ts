/**
 * Encodes a customer's identifier as one URL path segment. Some servers decode an encoded slash, and clients normalise the
 * segments `.` and `..` even if they are encoded. These characters, and the tilde itself, are written as a tilde and their
 * hexadecimal code.
 */
const SPECIAL = /[~/\\]|^\.{1,2}$/g;

export function identifierSegment(identifier: string): string {
  return encodeURIComponent(identifier.replace(SPECIAL, escaped));
}

/** @param segment decoded once, by the router */
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
