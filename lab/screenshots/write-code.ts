import type { Page } from '@playwright/test';

/** Replaces the editor's text, as pasting does: the editor would indent typed lines. An editor that is still loading takes no text. */
export async function writeCode(page: Page, code: string): Promise<void> {
  const unsaved = page.getByText('Not saved', { exact: true });
  for (let attempt = 1; ; attempt++) {
    await page.locator('.monaco-editor .view-lines').click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(paste);
    }, code);
    const isWritten = await unsaved.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    );
    if (isWritten) return;
    if (attempt === 5) throw new Error('The editor took no text');
  }
}
