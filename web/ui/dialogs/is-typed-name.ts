/**
 * Whether somebody typed a name as it is shown. A page shows runs of white space as one space, and some characters not at all;
 * nobody can type what cannot be seen.
 */
export function isTypedName(typed: string, name: string): boolean {
  return shownText(typed) === shownText(name);
}

function shownText(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
