/** Shows a server error beside the fields that it names, or in a toast if it names none. */
import { errorsOf, type FormErrors } from '#web/api/check-form.ts';
import { toastError } from '#web/api/error-notice.ts';

export interface FormErrorOptions {
  /** Replaces the toast's generic title. */
  readonly title?: string;
  /** The form's fields, where an error can name others: those are shown in a toast. */
  readonly fields?: readonly string[];
}

export function showFormError(
  form: { readonly setErrors: (errors: FormErrors) => void },
  error: unknown,
  { title, fields }: FormErrorOptions = {},
): void {
  const fieldErrors = errorsOf(error);
  form.setErrors(fieldErrors);
  const named = Object.keys(fieldErrors);
  if (named.length > 0 && named.every((name) => fields?.includes(name) ?? true)) return;
  toastError(error, title);
}
