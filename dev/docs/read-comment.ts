/** Doc comments of the source, which the tables in docs/ quote. */

/** The text of a doc comment on one line, without its stars. */
export function plainText(comment: string): string {
  return comment
    .replace(/\n[ \t]*\*?[ \t]?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The doc comment that ends right before `position`; empty without one. */
export function commentBefore(source: string, position: number): string {
  const [, comment = ''] = /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*$/.exec(source.slice(0, position)) ?? [];
  return plainText(comment);
}

/** A cell of a table: no pipe ends it. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
