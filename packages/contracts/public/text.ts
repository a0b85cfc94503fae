/** Schemas of names, descriptions and slugs, shared by console and Worker. */
import { z } from 'zod';
import { hasControlCharacter, isOneLine, toOneLine, visibleLength } from './characters.ts';
import { formatLimit } from './format-limit.ts';

/** Except line breaks and tabs. */
const hasUnprintable = (text: string) => hasControlCharacter(text.replace(/[\n\r\t]/g, ''));
/** A lone surrogate cannot be stored: the database would replace it. */
const isWellFormed = (text: string) => !/\p{Surrogate}/u.test(text);

const NAME_MIN_LENGTH = 3;
const NAME_MAX_LENGTH = 100;
const nameProblems = {
  tooShort: `Must be at least ${NAME_MIN_LENGTH} characters`,
  invisible: `Must have at least ${NAME_MIN_LENGTH} visible characters`,
  tooLong: `Must be at most ${NAME_MAX_LENGTH} characters`,
  control: 'Must not contain control characters',
  malformed: 'Contains invalid Unicode',
};

/** One line, trimmed, with at least three visible characters. */
const visibleTextSchema = (minLength: number, maxLength: number, tooShort: string, tooLong: string) =>
  z
    .string()
    .trim()
    .min(minLength, tooShort)
    .max(maxLength, tooLong)
    .refine(
      (text) => text.length < minLength || visibleLength(text) >= NAME_MIN_LENGTH,
      nameProblems.invisible,
    )
    .refine(isOneLine, nameProblems.control)
    .refine(isWellFormed, nameProblems.malformed);

/** Every display name: 3 to 100 characters after trimming. */
export const nameSchema = visibleTextSchema(
  NAME_MIN_LENGTH,
  NAME_MAX_LENGTH,
  nameProblems.tooShort,
  nameProblems.tooLong,
);

/** A name that another service has, shortened and on one line. Undefined if it cannot be one here. */
export function readForeignName(text: string): string | undefined {
  return nameSchema.safeParse(toOneLine(text).slice(0, NAME_MAX_LENGTH)).data;
}

/** A name that need not be given, of at most so many characters; empty text becomes null. */
export const optionalNameSchema = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength, `Must be at most ${maxLength} characters`)
    .refine((text) => text === '' || visibleLength(text) > 0, 'Must have a visible character')
    .refine(isOneLine, nameProblems.control)
    .refine(isWellFormed, nameProblems.malformed)
    .transform((text) => (text === '' ? null : text))
    .nullable();

/** Why somebody does something, for others to read. */
export const reasonSchema = (minLength: number, maxLength: number) =>
  visibleTextSchema(
    minLength,
    maxLength,
    `Must be at least ${minLength} characters`,
    `Must be at most ${maxLength} characters`,
  );

/** The message of `nameSchema`, for pages that load no zod. Null if the name is valid. */
export function problemOfName(name: string): string | null {
  const text = name.trim();
  if (text.length < NAME_MIN_LENGTH) return nameProblems.tooShort;
  if (text.length > NAME_MAX_LENGTH) return nameProblems.tooLong;
  if (visibleLength(text) < NAME_MIN_LENGTH) return nameProblems.invisible;
  if (!isOneLine(text)) return nameProblems.control;
  return isWellFormed(text) ? null : nameProblems.malformed;
}

/** Text of several lines; empty text becomes null. */
export const optionalTextSchema = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength, `Must be at most ${formatLimit(maxLength)} characters`)
    .refine((text) => !hasUnprintable(text), 'Must not contain control characters')
    .refine(isWellFormed, 'Contains invalid Unicode')
    .transform((text) => (text === '' ? null : text))
    .nullable();

/** Up to 1000 characters; empty text is no description. */
export const descriptionSchema = optionalTextSchema(1000);

/** Every slug that engine/slugs derives from a name, plus underscores; no leading underscore, so never `__proto__`. */
export const SLUG_PATTERN = /^-*[a-z0-9][a-z0-9_-]*$/;

/** 3 to 32 lower-case letters, digits, hyphens and underscores, with at least one letter or digit. */
export const slugSchema = z
  .string()
  .min(3, 'Must be at least 3 characters')
  .max(32, 'Must be at most 32 characters')
  .regex(SLUG_PATTERN, 'Use lower-case letters, digits, hyphens and underscores');

/** Every slug that engine/slugs derives from a name, plus capitals, underscores and dots. */
const propertyKeyPattern = /^-*[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;

/** 3 to 25 letters, digits, hyphens, underscores and dots, with at least one letter or digit. */
export const propertyKeySchema = z
  .string()
  .min(3, 'Must be at least 3 characters')
  .max(25, 'Must be at most 25 characters')
  .regex(propertyKeyPattern, 'Use letters, digits, hyphens, underscores and dots');

/** An id in a request body. The store checks that it exists. */
export const idSchema = z.string().min(1, 'Required').max(64);

/** The last instant of a Date, epoch milliseconds. */
const LAST_INSTANT = 8_640_000_000_000_000;
/** The last instant of the year 9999: what is later was meant in another unit. */
export const MAX_GIVEN_INSTANT = 253_402_300_799_999;

/** Epoch milliseconds, of which a Date can be made. */
export const instantSchema = z.int({ abort: true }).min(0).max(LAST_INSTANT);

const notGiven = 'Must be a time in epoch milliseconds, at most the end of the year 9999';
/** An instant that a caller chooses. Those that the server answered with are `instantSchema`, as some are older than this limit. */
export const givenInstantSchema = z
  .int({ error: notGiven, abort: true })
  .min(0, notGiven)
  .max(MAX_GIVEN_INSTANT, notGiven);

/** A value in a query string, as JSON text. */
export const jsonTextSchema = (maxLength: number) =>
  z
    .string()
    .max(maxLength, `Must be at most ${formatLimit(maxLength)} characters`)
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: 'Must be JSON' });
        return z.NEVER;
      }
    });
