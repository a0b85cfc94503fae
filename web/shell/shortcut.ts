/** How the modifier of shortcuts is written on this machine: ⌘ on Apple's, Ctrl elsewhere. */
export const modifierKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl ';
