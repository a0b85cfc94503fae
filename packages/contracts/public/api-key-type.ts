/** The two types of API key: secret keys are for servers, public keys may be shipped to browsers. */
import { z } from 'zod';

export const apiKeyTypeSchema = z.enum(['secret', 'public']);
export type ApiKeyType = z.infer<typeof apiKeyTypeSchema>;
