/** Finds in the SQL of a migration what may lose rows or run too long where there are many of them. */

const trigger = /\bCREATE\s+(?:TEMP\w*\s+)?TRIGGER\b[\s\S]*?;\s*END\b\s*;?/gi;
const commentOrText = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/g;
/** SQLite takes a text for a name where it expects one. */
const nameOrText = /(\b(?:TABLE|EXISTS|REFERENCES)\s+|\.\s*)'(\w+)'|'(?:[^']|'')*'/gi;
const reference = /\bREFERENCES\s+["`[]?(\w+)/gi;
const dropTable = /^DROP\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:["`[]?\w+["`\]]?\s*\.\s*)?["`[]?(\w+)/i;
const verb = /^(?:WITH\b[\s\S]*?\b)?(UPDATE|DELETE|REPLACE|INSERT)\b/i;
const createAs = /^CREATE\s+(?:TEMP\w*\s+)?TABLE\b[\s\S]*\bAS\s+(?:SELECT|WITH)\b/i;
const limit = /\bLIMIT\s+\d/i;

/** The tables that foreign keys name. */
export function referencedTables(sql: string): string[] {
  return [...withoutTexts(sql).matchAll(reference)].map(([, table = '']) => table.toLowerCase());
}

/** @param referenced the tables that foreign keys name, here or in migrations before it */
export function problemsOf(sql: string, referenced: ReadonlySet<string>): string[] {
  const statements = withoutTexts(sql).replace(trigger, ';').split(';');
  return statements.flatMap((each) => {
    const statement = each.trim();
    const dropped = dropTable.exec(statement)?.[1];
    if (/^PRAGMA\b/i.test(statement))
      return ['PRAGMA: D1 ignores foreign_keys=OFF, so what depends on a dropped row is deleted with it'];
    if (dropped !== undefined && referenced.has(dropped.toLowerCase()))
      return [`drops ${dropped}, which a foreign key references: rows that depend on it are deleted with it`];
    if (isUnbounded(statement))
      return [
        `writes rows without a LIMIT: ${statement.slice(0, 60).replace(/\s+/g, ' ')} … Let the schedule go through many rows, as customers/list/renew-known-customers.ts does`,
      ];
    return [];
  });
}

function isUnbounded(statement: string): boolean {
  const { outer, groups } = splitParentheses(statement);
  const [, written = createAs.test(outer) ? 'CREATE' : ''] = verb.exec(outer) ?? [];
  if (/^(?:UPDATE|DELETE)$/i.test(written)) return !choosesFew(outer, groups);
  const copies = !/^INSERT$/i.test(written) || /\bSELECT\b/i.test(statement);
  return written !== '' && copies && !limit.test(outer);
}

/** Whether its rows are those of `IN (SELECT … LIMIT n)`. Beside an OR they would be more, and after NOT all others. */
function choosesFew(outer: string, groups: readonly string[]): boolean {
  const [, where = ''] = /\bWHERE\b([\s\S]*)/i.exec(outer) ?? [];
  if (/\bOR\b|(?<!\bIS\s)\bNOT\b/i.test(where)) return false;
  return [...where.matchAll(/\bIN\s*\((\d+)\)/gi)].some(([, index]) => {
    const chosen = splitParentheses(groups[Number(index)] ?? '').outer;
    return /^\s*(?:SELECT|WITH)\b/i.test(chosen) && limit.test(chosen);
  });
}

/** The text outside parentheses, in which each `(n)` stands for the n-th of the groups: a LIMIT inside one bounds only that. */
function splitParentheses(sql: string): { outer: string; groups: string[] } {
  const groups: string[] = [];
  let outer = '';
  let depth = 0;
  for (const char of sql) {
    if (char === ')' && --depth === 0) outer += groups.length - 1;
    if (depth === 0) outer += char;
    else groups[groups.length - 1] += char;
    if (char === '(' && depth++ === 0) groups.push('');
  }
  return { outer, groups };
}

const withoutTexts = (sql: string) =>
  sql
    .replace(commentOrText, (found) => (found.startsWith("'") ? found : ' '))
    .replace(nameOrText, (_text, before = '', name) => (name === undefined ? "''" : `${before}"${name}"`));
