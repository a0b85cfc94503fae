/** The rules of names, descriptions, slugs and URLs (spec, domain screens, section 5): one place for page and Worker. */
import { z } from 'zod';

const hasControlCharacter = (text: string) => /\p{Cc}/u.test(text);

/** 3 to 100 characters after trimming; one line. */
export const nameSchema = z
  .string()
  .trim()
  .min(3, 'Must be at least 3 characters')
  .max(100, 'Must be at most 100 characters')
  .refine((text) => !hasControlCharacter(text), 'Must not contain control characters');

/** Up to 1000 characters; empty text is no description. */
export const descriptionSchema = z
  .string()
  .trim()
  .max(1000, 'Must be at most 1000 characters')
  .transform((text) => (text === '' ? null : text))
  .nullable();

const slugPattern = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;

/** 3 to 32 lower-case letters, digits and single hyphens or underscores; begins and ends with a letter or digit. */
export const slugSchema = z
  .string()
  .min(3, 'Must be at least 3 characters')
  .max(32, 'Must be at most 32 characters')
  .regex(slugPattern, 'Use lower-case letters, digits and single hyphens');

const propertyKeyPattern = /^[a-zA-Z][a-zA-Z0-9]*(?:[-_.][a-zA-Z0-9]+)*$/;

/** 3 to 25 letters, digits and single separators; begins with a letter. */
export const propertyKeySchema = z
  .string()
  .min(3, 'Must be at least 3 characters')
  .max(25, 'Must be at most 25 characters')
  .regex(propertyKeyPattern, 'Begin with a letter; use letters, digits, hyphens, underscores and dots');

function isWebUrl(text: string): boolean {
  try {
    const url = new URL(text);
    return (
      (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === ''
    );
  } catch {
    return false;
  }
}

/** An http or https address up to 200 characters. */
export const webUrlSchema = z
  .string()
  .trim()
  .max(200, 'Must be at most 200 characters')
  .refine(isWebUrl, 'Must be a valid web address, beginning with https:// or http://');

/** Where a picture may be loaded from: https only, so that neither `javascript:` nor `data:` ever reaches a page. */
export const imageUrlSchema = z
  .string()
  .trim()
  .max(2000, 'Must be at most 2000 characters')
  .refine(
    (text) => isWebUrl(text) && new URL(text).protocol === 'https:',
    'Must be a web address beginning with https://',
  );

/** As webUrlSchema, or empty for none. */
export const optionalUrlSchema = z.union([z.literal('').transform(() => null), webUrlSchema]).nullable();

/** The id of something, as sent in a body; whether it exists is asked of the store. */
export const idSchema = z.string().min(1, 'Required').max(64);

/** Epoch milliseconds. */
export const instantSchema = z.int().min(0);
