/** The types of environment. The preview environment always runs the workspace. */
import { z } from 'zod';

export const environmentTypeSchema = z.enum(['live', 'test', 'preview']);
export type EnvironmentType = z.infer<typeof environmentTypeSchema>;
