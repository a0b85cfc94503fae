/** Title and description of the toast after a failed mutation. */
import { toast } from '#web/toast.ts';
import { ApiError } from './api-error.ts';

export function errorNotice(error: unknown): { readonly title: string; readonly description: string } {
  return { title: titleOf(error), description: messageOf(error) || 'Please try again later' };
}

/** @param title in place of the error's */
export function toastError(error: unknown, title?: string): void {
  const notice = errorNotice(error);
  toast.error(title ?? notice.title, { description: notice.description });
}

function titleOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'An error occurred';
  if (error.errorType === 'conflict') return 'Duplicate Entry';
  return error.errorType === 'not-found' ? 'Not Found' : 'An error occurred';
}

function messageOf(error: unknown): string {
  if (error instanceof ApiError) {
    // The server's message starts with the field's path. Ids are not fields that a user can see.
    const [issue] = error.issues;
    return issue?.path.endsWith('Id') ? issue.message : error.message;
  }
  const { message } = (error ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : '';
}
