/** Finds in the SQL of a migration what may lose rows or run too long where there are many of them. */

const trigger = /\bCREATE\s+(?:TEMP\w*\s+)?TRIGGER\b[\s\S]*?;\s*END\b\s*;?/gi;
const commentOrText = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/g;
const reference = /\bREFERENCES\s+["`[]?(\w+)/gi;
const WRITES = /^(?:WITH\b[\s\S]*\b)?(?:UPDATE|DELETE|REPLACE|INSERT)\b/i;

/** The tables that foreign keys name. */
export function referencedTables(sql: string): string[] {
  return [...withoutTexts(sql).matchAll(reference)].map(([, table = '']) => table.toLowerCase());
}

/** @param referenced the tables that foreign keys name, here or in migrations before it */
export function problemsOf(sql: string, referenced: ReadonlySet<string>): string[] {
  const statements = withoutTexts(sql).replace(trigger, ';').split(';');
  return statements.flatMap((each) => {
    const statement = each.trim();
    const dropped = /^DROP\s+TABLE\s+(?:IF\s+EXISTS\s+)?["`[]?(\w+)/i.exec(statement)?.[1];
    if (/^PRAGMA\b/i.test(statement))
      return ['PRAGMA: D1 ignores foreign_keys=OFF, so what depends on a dropped row is deleted with it'];
    if (dropped !== undefined && referenced.has(dropped.toLowerCase()))
      return [`drops ${dropped}, which a foreign key references: rows that depend on it are deleted with it`];
    const copies = !/^INSERT\b/i.test(statement) || /\bSELECT\b/i.test(statement);
    const fills =
      (WRITES.test(statement) && copies) ||
      /^CREATE\s+TABLE\b[\s\S]*\bAS\s+(?:SELECT|WITH)\b/i.test(statement);
    if (fills && !/\bLIMIT\b/i.test(statement))
      return [
        `writes rows without a LIMIT: ${statement.slice(0, 60).replace(/\s+/g, ' ')} … Let the schedule go through many rows, as customers/list/renew-words.ts does`,
      ];
    return [];
  });
}

const withoutTexts = (sql: string) =>
  sql.replace(commentOrText, (found) => (found.startsWith("'") ? "''" : ' '));
