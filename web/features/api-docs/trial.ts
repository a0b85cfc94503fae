/** What is filled in to try a check, and the request that it makes. */
import type { AccessCheckRequest } from '#contracts/access';
import type { ApiKeyType } from '#contracts/api-keys';

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
