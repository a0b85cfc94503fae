/** Characters that show nothing, or that change how the text around them is shown. Shared by console and Worker. */

/** Shows nothing by itself. Joiners of emoji and U+200C in Persian are among them: valid, but not counted. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Ends the line, or changes the direction of all that follows, also outside the text. */
const BREAKING = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Control characters (0x1b and 0x9b begin ANSI sequences), line separators, direction controls and the byte order mark. */
const ACTING = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

export const visibleLength = (text: string): number => text.replaceAll(INVISIBLE, '').trim().length;

export const hasControlCharacter = (text: string): boolean => /\p{Cc}/u.test(text);

/** Text that names or explains something shows itself on one line. */
export const isOneLine = (text: string): boolean => text.search(BREAKING) === -1;

export const toOneLine = (text: string): string => text.replace(BREAKING, ' ').trim();

/** Whether a reader sees anything of it. */
export const showsSomething = (text: string): boolean => visibleLength(text.replace(/\p{Cc}/gu, '')) > 0;

/**
 * Text for logs, answers and mails, in which everything that a terminal or a page would act on is escaped as in JSON: `\u202e`.
 * JSON stays the same value.
 */
export function escapeText(text: string): string {
  return text.replace(ACTING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
