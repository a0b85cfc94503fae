// Keys mean the same under every keyboard layout, and those of an input method reach no handler.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isShortcut, pressedKey, withholdComposingKeys } from '../../web/ui/keyboard/keys.ts';

const pressed = (key: string, code: string, held: object = {}) => ({
  key,
  code,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

describe('the pressed key', () => {
  test.each([
    ['k', 'KeyK', 'k'],
    ['K', 'KeyK', 'k'],
    ['л', 'KeyK', 'k'],
    ['Л', 'KeyK', 'k'],
    ['κ', 'KeyK', 'k'],
    ['ξ', 'KeyJ', 'j'],
    ['ش', 'KeyA', 'a'],
    ['ظ', 'Slash', '/'],
  ])('%s on %s is %s', (key, code, letter) => expect(pressedKey({ key, code })).toBe(letter));

  test.each([
    // Dvorak and AZERTY are Latin: the letter that they write counts, wherever it is.
    ['t', 'KeyK', 't'],
    ['a', 'KeyQ', 'a'],
    ['ł', 'KeyL', 'ł'],
    ['/', 'Digit7', '/'],
    ['.', 'Slash', '.'],
    ['?', 'Digit7', '?'],
    [' ', 'Space', ' '],
    ['Escape', 'Escape', 'Escape'],
    ['ArrowDown', 'ArrowDown', 'ArrowDown'],
    ['Unidentified', '', 'Unidentified'],
  ])('%s on %s stays %s', (key, code, same) => expect(pressedKey({ key, code })).toBe(same));
});

test('a shortcut is Ctrl or Cmd and its letter under any layout, and nothing else', () => {
  expect(isShortcut(pressed('k', 'KeyK', { ctrlKey: true }), 'k')).toBe(true);
  expect(isShortcut(pressed('л', 'KeyK', { metaKey: true }), 'k')).toBe(true);
  expect(isShortcut(pressed('л', 'KeyK'), 'k')).toBe(false);
  expect(isShortcut(pressed('t', 'KeyK', { ctrlKey: true }), 'k')).toBe(false);
  expect(isShortcut(pressed('k', 'KeyK', { ctrlKey: true, shiftKey: true }), 'k')).toBe(false);
  expect(isShortcut(pressed('k', 'KeyK', { ctrlKey: true, altKey: true }), 'k')).toBe(false);
});

describe('while an input method composes', () => {
  afterEach(() => vi.unstubAllGlobals());

  function press(fields: object, isInEditor = false): string[] {
    class Field extends EventTarget {
      closest = () => (isInEditor ? this : null);
    }
    vi.stubGlobal('Element', Field);
    const page = new Field();
    const heard: string[] = [];
    withholdComposingKeys(page);
    // As libraries listen, too.
    page.addEventListener('keydown', () => heard.push('captured'), { capture: true });
    page.addEventListener('keydown', () => heard.push('bubbled'));
    const event = Object.assign(new Event('keydown', { cancelable: true }), { key: 'Enter', ...fields });
    page.dispatchEvent(event);
    // The input method still gets the key.
    expect(event.defaultPrevented).toBe(false);
    return heard;
  }

  test('no handler hears Enter or Escape, in Safari neither the key that ends it', () => {
    expect(press({ isComposing: true, keyCode: 13 })).toEqual([]);
    expect(press({ key: 'Escape', isComposing: true, keyCode: 27 })).toEqual([]);
    expect(press({ isComposing: false, keyCode: 229 })).toEqual([]);
  });

  test('the code editor hears its own, and everything hears other keys', () => {
    expect(press({ isComposing: true, keyCode: 229 }, true)).toEqual(['captured', 'bubbled']);
    expect(press({ isComposing: false, keyCode: 13 })).toEqual(['captured', 'bubbled']);
  });
});
