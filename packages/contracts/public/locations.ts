/** The nine data locations to which an organisation's environments can be replicated. */
import { z } from 'zod';

export const LOCATIONS = ['wnam', 'enam', 'weur', 'eeur', 'apac', 'sam', 'oc', 'afr', 'me'] as const;
export const locationSchema = z.enum(LOCATIONS);
export type Location = z.infer<typeof locationSchema>;

/** A boolean per region, all nine of them. */
export const locationFlagsSchema = z.strictObject({
  wnam: z.boolean(),
  enam: z.boolean(),
  weur: z.boolean(),
  eeur: z.boolean(),
  apac: z.boolean(),
  sam: z.boolean(),
  oc: z.boolean(),
  afr: z.boolean(),
  me: z.boolean(),
});
export type LocationFlags = z.infer<typeof locationFlagsSchema>;
