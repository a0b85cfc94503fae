/** Unwraps an AuthOutcome: returns the data or throws. For mutations that show the default error toast. */
import type { AuthOutcome } from './auth-client.ts';

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

/** @throws {AuthCallError} with the server's message, which may be empty */
export async function answerOf<T>(outcome: Promise<AuthOutcome<T>>): Promise<T> {
  const { data, error } = await outcome;
  if (error !== null) throw new AuthCallError(error.status, error.message ?? '', error.code);
  return data as T;
}
