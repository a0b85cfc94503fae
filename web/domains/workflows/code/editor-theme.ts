/** The editor's colours: those of the console, read from its custom properties. */
import { editor } from './monaco.ts';

export const THEME = 'tessera';

/** Call it again when the colour scheme changes: the properties have other values then. */
export function applyTheme(scheme: 'light' | 'dark'): void {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const token = (name: string) => colour(name).replace('#', '');
  editor.defineTheme(THEME, {
    base: scheme === 'dark' ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      { token: '', foreground: token('text') },
      { token: 'keyword', foreground: token('accent-text') },
      { token: 'string', foreground: token('allowed') },
      { token: 'number', foreground: token('warning') },
      { token: 'regexp', foreground: token('warning') },
      { token: 'comment', foreground: token('text-faint'), fontStyle: 'italic' },
      { token: 'delimiter', foreground: token('text-muted') },
      { token: 'type', foreground: token('text') },
    ],
    colors: {
      'editor.background': colour('surface'),
      'editor.foreground': colour('text'),
      'editorLineNumber.foreground': colour('text-faint'),
      'editorLineNumber.activeForeground': colour('text'),
      'editorLineNumber.dimmedForeground': colour('text-faint'),
      'editor.lineHighlightBackground': colour('surface-sunk'),
      'editor.lineHighlightBorder': colour('surface-sunk'),
      'editor.selectionBackground': colour('accent-line'),
      'editorCursor.foreground': colour('accent'),
      'editorError.foreground': colour('denied'),
      'editorWidget.background': colour('raised'),
      'editorWidget.foreground': colour('text'),
      'editorSuggestWidget.background': colour('raised'),
      'editorSuggestWidget.selectedBackground': colour('accent-soft'),
      'editorSuggestWidget.selectedForeground': colour('text'),
      'editorSuggestWidget.highlightForeground': colour('accent-text'),
      'editorHoverWidget.background': colour('raised'),
      focusBorder: colour('accent'),
    },
  });
  editor.setTheme(THEME);
}
