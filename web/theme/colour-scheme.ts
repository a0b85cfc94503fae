/**
 * Keeps the chosen theme (light, dark or system) in local storage under `ui-theme` and puts the resulting class, light
 * or dark, on the page's root. public/apply-theme.js does the same before the first paint.
 */
import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';

export const THEME_KEY = 'ui-theme';

export type Theme = 'light' | 'dark' | 'system';

/** What a stored text means; anything unknown, and nothing, is the device's choice. */
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
        // Storage is blocked or full: the choice lasts as long as the page.
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

/** Puts `scheme` on the root as its class, in place of the other. */
export function markRoot(scheme: 'light' | 'dark'): void {
  const { classList } = document.documentElement;
  classList.toggle('light', scheme === 'light');
  classList.toggle('dark', scheme === 'dark');
}
