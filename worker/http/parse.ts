/** Checks input against a zod schema and names every field that does not fit. */
import type { z } from 'zod';
import type { Issue } from '#contracts/errors';
import { invalidRequest } from './api-error.ts';

/** @throws {ApiError} invalid-request with an issue per field */
export function parse<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw invalidRequest(issuesOf(result.error));
}

function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.flatMap((issue): Issue[] => {
    const path = issue.path.map(String).join('.');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: path ? `${path}.${key}` : key, message: 'Unknown property' }));
    }
    if (issue.code === 'invalid_type' && issue.input === undefined) return [{ path, message: 'Required' }];
    return [{ path, message: issue.message }];
  });
}
