/** The values of the try-it form, and the request that they make. */
import type { AccessCheckRequest } from '#contracts/public/access';
import type { ApiKeyType } from '#contracts/public/api-key-type';

export interface Trial {
  subject: 'anonymous' | 'identifier' | 'token';
  userIdentifier: string;
  userJwt: string;
  apiKeyType: ApiKeyType;
  features: string[];
}

export const EMPTY_TRIAL: Trial = {
  subject: 'anonymous',
  userIdentifier: '',
  userJwt: '',
  apiKeyType: 'secret',
  features: [],
};

export function requestOf({ subject, userIdentifier, userJwt, features }: Trial): AccessCheckRequest {
  return {
    ...(subject === 'identifier' ? { userIdentifier } : {}),
    ...(subject === 'token' ? { userJwt: userJwt.trim() } : {}),
    ...(features.length === 0 ? {} : { features }),
  };
}
