/** Copies text to the clipboard. Says so if the browser refuses, or has no clipboard, as on a page without HTTPS. */
import { toast } from '#web/toast.ts';

/**
 * @param text a promise of it keeps the click that browsers require; if it rejects, its own caller says why
 * @param shown where the text can be found otherwise @returns whether it was copied
 */
export async function copyText(text: string | Promise<string>, shown = SELECT_IT): Promise<boolean> {
  try {
    if (typeof text === 'string') await navigator.clipboard.writeText(text);
    else {
      const blob = text.then((value) => new Blob([value], { type: 'text/plain' }));
      // A browser that refuses does not read it.
      blob.catch(() => undefined);
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    }
    return true;
  } catch {
    const isKnown = await Promise.resolve(text).then(
      () => true,
      () => false,
    );
    if (isKnown) toast.error('Couldn’t copy to the clipboard', { description: shown });
    return false;
  }
}

const SELECT_IT = 'Select the text and copy it yourself.';
