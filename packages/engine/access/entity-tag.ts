/** Entity tags of answers (RFC 9110, section 13.1.2). */
import type { SentHeaders } from './sent-headers.ts';

/** Whether a client has the answer already. Compares weakly, because a compressing proxy makes the tag weak. */
export function isKnownTag({ headers }: { readonly headers: SentHeaders }, tag: string): boolean {
  const known = (headers.get('if-none-match') ?? '').split(',').map(opaque);
  return known.includes(opaque(tag)) || known.includes('*');
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
