/**
 * Validates a form with the schema that the server uses for the request body. Returns one message per field: 'Required'
 * for empty fields without a rule of their own, and 'Invalid input' where the schema has no message of its own.
 */
import type { z } from 'zod';
import { ApiError } from './api-error.ts';

export type FormErrors = Record<string, string>;

export function checkForm(schema: z.ZodType): (values: unknown) => FormErrors {
  return (values) => {
    const result = schema.safeParse(values);
    if (result.success) return {};
    const errors: FormErrors = {};
    for (const issue of result.error.issues) {
      const path = issue.path.map(String).join('.');
      if (errors[path] !== undefined) continue;
      const isMissing = issue.code !== 'custom' && isEmpty(valueAt(values, issue.path));
      errors[path] = isMissing
        ? 'Required'
        : issue.message.startsWith('Invalid ')
          ? 'Invalid input'
          : issue.message;
    }
    return errors;
  };
}

/** The server's validation messages by field, in the form library's format. */
export function errorsOf(error: unknown): FormErrors {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    error.issues.filter(({ path }) => path !== '').map(({ path, message }) => [path, message]),
  );
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

function valueAt(values: unknown, path: readonly PropertyKey[]): unknown {
  let value = values;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
