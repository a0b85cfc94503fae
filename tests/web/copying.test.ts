// Copying says so when the browser refuses.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startToasts } from '../../web/toast.ts';
import { copyText } from '../../web/ui/copy/copy-text.ts';

const error = vi.fn();
const refuse = async () => Promise.reject(new DOMException('Denied', 'NotAllowedError'));
const withClipboard = (clipboard: object | undefined) => vi.stubGlobal('navigator', { clipboard });

beforeEach(() => {
  error.mockClear();
  startToasts({ error } as unknown as Parameters<typeof startToasts>[0]);
  vi.stubGlobal('ClipboardItem', class {});
});
afterEach(() => vi.unstubAllGlobals());

test.each([
  ['refuses', { writeText: refuse, write: refuse }],
  ['has no clipboard', undefined],
])('a browser that %s is reported once, with where the text is', async (_case, clipboard) => {
  withClipboard(clipboard);
  expect(await copyText('a')).toBe(false);
  expect(await copyText(Promise.resolve('a'), 'key_1')).toBe(false);
  expect(error.mock.calls).toEqual([
    ['Couldn’t copy to the clipboard', { description: 'Select the text and copy it yourself.' }],
    ['Couldn’t copy to the clipboard', { description: 'key_1' }],
  ]);
});

test('a text that could not be read is no refusal of the browser', async () => {
  withClipboard({ write: refuse });
  expect(await copyText(Promise.reject(new Error('gone')))).toBe(false);
  expect(error).not.toHaveBeenCalled();
});

test('a text that was copied is reported by nothing but the result', async () => {
  const writeText = vi.fn(async () => {});
  withClipboard({ writeText });
  expect(await copyText('a')).toBe(true);
  expect(writeText).toHaveBeenCalledWith('a');
  expect(error).not.toHaveBeenCalled();
});
