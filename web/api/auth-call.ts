/**
 * Unwraps an AuthOutcome: returns the data or throws. For signed-in users' mutations, which show the default error toast: a 401 ends
 * the session. At sign-in, a 401 is a wrong password.
 */
import { networkError } from './api-error.ts';
import type { AuthOutcome } from './auth-client.ts';
import { noteSignedOut } from './call.ts';

export class AuthCallError extends Error {
  override readonly name = 'AuthCallError';
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** @throws {AuthCallError} with the server's message, which may be empty; the error of every call without a response */
export async function answerOf<T>(outcome: Promise<AuthOutcome<T>>): Promise<T> {
  const { data, error } = await outcome;
  if (error?.status === 401) noteSignedOut();
  if (error?.status === 0) throw networkError();
  if (error !== null) throw new AuthCallError(error.status, error.message ?? '', error.code);
  return data as T;
}
