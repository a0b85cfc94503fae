/**
 * Short notices over the page. The library that shows them is loaded after the first screen (shell/toaster.tsx): a notice from before
 * that is shown then.
 */
import type { ExternalToast, toast as Sonner } from 'sonner';

type Show = (toasts: typeof Sonner) => void;

let shown: typeof Sonner | undefined;
const waiting: Show[] = [];

/** Call when toasts are on screen. */
export function startToasts(toasts: typeof Sonner): void {
  shown = toasts;
  for (const show of waiting.splice(0)) show(toasts);
}

function soon(show: Show): void {
  if (shown === undefined) waiting.push(show);
  else show(shown);
}

/** The library's calls that the console uses. An `id` in the options replaces the toast that has it. */
export const toast = {
  message: (title: string, options?: ExternalToast) => soon((toasts) => toasts.message(title, options)),
  info: (title: string, options?: ExternalToast) => soon((toasts) => toasts.info(title, options)),
  success: (title: string, options?: ExternalToast) => soon((toasts) => toasts.success(title, options)),
  warning: (title: string, options?: ExternalToast) => soon((toasts) => toasts.warning(title, options)),
  error: (title: string, options?: ExternalToast) => soon((toasts) => toasts.error(title, options)),
  loading: (title: string, options?: ExternalToast) => soon((toasts) => toasts.loading(title, options)),
  dismiss: (id: string) => soon((toasts) => toasts.dismiss(id)),
};
