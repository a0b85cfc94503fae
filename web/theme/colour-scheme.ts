/**
 * Stores the theme (light, dark or system) in local storage under `ui-theme` and sets the resulting class, light or
 * dark, on the root element. public/apply-theme.js does the same before the first paint.
 */
import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';

export const THEME_KEY = 'ui-theme';

export type Theme = 'light' | 'dark' | 'system';

/** Parses the stored theme. Unknown and missing values mean system. */
export function readTheme(stored: string | null): Theme {
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export const toScheme = (theme: Theme): MantineColorScheme => (theme === 'system' ? 'auto' : theme);
export const toTheme = (scheme: MantineColorScheme): Theme => (scheme === 'auto' ? 'system' : scheme);

export function createColourSchemeManager(): MantineColorSchemeManager {
  let listener: ((event: StorageEvent) => void) | undefined;
  return {
    get: () => toScheme(readTheme(fromStorage())),
    set: (scheme) => {
      try {
        localStorage.setItem(THEME_KEY, toTheme(scheme));
      } catch {
        // Storage is blocked or full. The choice lasts until the page is reloaded.
      }
    },
    subscribe: (onUpdate) => {
      listener = (event) => {
        if (event.key === THEME_KEY) onUpdate(toScheme(readTheme(event.newValue)));
      };
      window.addEventListener('storage', listener);
    },
    unsubscribe: () => {
      if (listener) window.removeEventListener('storage', listener);
    },
    clear: () => localStorage.removeItem(THEME_KEY),
  };
}

function fromStorage(): string | null {
  try {
    return localStorage.getItem(THEME_KEY);
  } catch {
    return null;
  }
}

/** Sets `scheme` as the root element's class and removes the other. */
export function markRoot(scheme: 'light' | 'dark'): void {
  const { classList } = document.documentElement;
  classList.toggle('light', scheme === 'light');
  classList.toggle('dark', scheme === 'dark');
}
