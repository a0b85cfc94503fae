/** Rules for web addresses. */
import { z } from 'zod';
import { formatLimit } from '../public/format-limit.ts';

const MAX_IMAGE_URL_LENGTH = 2000;

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

/** A picture's URL: https only, so that no `javascript:` or `data:` URL reaches a page. */
export const imageUrlSchema = z
  .string()
  .trim()
  .max(MAX_IMAGE_URL_LENGTH, `Must be at most ${formatLimit(MAX_IMAGE_URL_LENGTH)} characters`)
  .refine(
    (text) => isWebUrl(text) && new URL(text).protocol === 'https:',
    'Must be a web address beginning with https://',
  );

/** A webUrlSchema, or empty for none. */
export const optionalUrlSchema = z.union([z.literal('').transform(() => null), webUrlSchema]).nullable();
