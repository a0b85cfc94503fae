/** The console's keyboard shortcuts, as they are written on this device. */
import { isApple } from '#web/ui/keyboard/keys.ts';

/** The label of the shortcut modifier key: ⌘ on Apple devices, Ctrl elsewhere. */
const modifierKey = isApple ? '⌘' : 'Ctrl ';

export const shortcutLabels = {
  palette: `${modifierKey}K`,
  sidebar: `${modifierKey}B`,
  shortcuts: '?',
  save: `${modifierKey}S`,
  /** Of the code editor, where Tab indents. */
  leaveEditor: isApple ? '⌃⇧M' : 'Ctrl M',
} as const;
