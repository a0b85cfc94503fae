/** Says what the server refused: beside the fields that it names, and in a toast where it names none. */
import { toast } from 'sonner';
import { errorsOf, type FormErrors } from '../api/check-form.ts';
import { errorNotice } from '../api/error-notice.ts';

export interface RefusalOptions {
  /** In place of the toast's generic title. */
  readonly title?: string;
  /** The toast comes also where fields say it. */
  readonly isAlwaysToasted?: boolean | undefined;
}

export function showRefusal(
  form: { readonly setErrors: (errors: FormErrors) => void },
  error: unknown,
  { title, isAlwaysToasted = false }: RefusalOptions = {},
): void {
  const refused = errorsOf(error);
  form.setErrors(refused);
  if (Object.keys(refused).length > 0 && !isAlwaysToasted) return;
  const notice = errorNotice(error);
  toast.error(title ?? notice.title, { description: notice.description });
}
