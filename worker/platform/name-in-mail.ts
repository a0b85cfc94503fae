/** Names that people chose, in mails to people who do not know them. */

/** Addresses with a scheme, `www.`, and anything like `word.word` or `@`, which mail programs turn into links. */
const LINK = /:\/\/|\bwww\b|@|[\p{L}\p{N}][.。．｡]\p{L}{2}/iu;

/** The name, or null if a mail program could show a part of it as a link. */
export function nameInMail(name: string): string | null {
  return LINK.test(name) || LINK.test(name.normalize('NFKC')) ? null : name;
}
