/** The values of the API step's form, and the access check that they make. */
import { type AccessCheckRequest, accessCheckRequestSchema } from '#contracts/public/access';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import { checkForm, type FormErrors } from '#web/api/check-form.ts';

export interface ApiStepValues {
  kind: 'identifier' | 'jwt';
  input: string;
  apiKeyType: ApiKeyType;
}

const MIN_INPUT = 2;

export function requestOf({ kind, input }: Pick<ApiStepValues, 'kind' | 'input'>): AccessCheckRequest {
  const text = input.trim();
  return kind === 'jwt' ? { userJwt: text } : { userIdentifier: text };
}

/** Uses the request schema that the Worker uses. */
export function checkIdentity(values: ApiStepValues): FormErrors {
  if (values.input.trim().length < MIN_INPUT) return { input: 'Input must be at least 2 characters.' };
  const [message] = Object.values(checkForm(accessCheckRequestSchema)(requestOf(values)));
  return message === undefined ? {} : { input: message };
}

/** Whether the check ignored its token, which the warning explains: that says more than that there is no such customer. */
export const isTokenRefused = (warnings: readonly { readonly code: string }[]): boolean =>
  warnings.some(({ code }) => code.startsWith('jwt-'));
