/** Shows a server error beside the fields that it names, or in a toast if it names none. */

import { errorsOf, type FormErrors } from '#web/api/check-form.ts';
import { errorNotice } from '#web/api/error-notice.ts';
import { toast } from '#web/toast.ts';

export interface FormErrorOptions {
  /** Replaces the toast's generic title. */
  readonly title?: string;
  /** Show the toast even if fields show the error. */
  readonly isAlwaysToasted?: boolean | undefined;
}

export function showFormError(
  form: { readonly setErrors: (errors: FormErrors) => void },
  error: unknown,
  { title, isAlwaysToasted = false }: FormErrorOptions = {},
): void {
  const fieldErrors = errorsOf(error);
  form.setErrors(fieldErrors);
  if (Object.keys(fieldErrors).length > 0 && !isAlwaysToasted) return;
  const notice = errorNotice(error);
  toast.error(title ?? notice.title, { description: notice.description });
}
