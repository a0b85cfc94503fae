/** The console's keyboard shortcuts, as they are written on this device. */

/** The label of the shortcut modifier key: ⌘ on Apple devices, Ctrl elsewhere. */
const modifierKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl ';

export const shortcutLabels = {
  palette: `${modifierKey}K`,
  sidebar: `${modifierKey}B`,
  shortcuts: '?',
} as const;
