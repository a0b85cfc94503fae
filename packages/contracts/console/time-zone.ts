/** The time zone of an organisation's calendar periods, by its IANA name. */
import { z } from 'zod';

export const zoneSchema = z
  .string()
  .max(100)
  .refine(isZone, 'Must be the IANA name of a time zone, such as Europe/Berlin');

/** Offsets such as +05:30 are none: their clocks are never set. */
function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
