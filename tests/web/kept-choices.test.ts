// What the console remembers of its user: the sidebar in a cookie, the theme in local storage.
import { expect, test } from 'vitest';
import { readSidebarState, sidebarCookie } from '../../web/shell/sidebar-state.ts';
import { readTheme, toScheme, toTheme } from '../../web/theme/colour-scheme.ts';

test('the sidebar is open unless its cookie says otherwise', () => {
  expect(readSidebarState('')).toBe(true);
  expect(readSidebarState('a=b; sidebar_state=true')).toBe(true);
  expect(readSidebarState('a=b; sidebar_state=false; c=d')).toBe(false);
  expect(readSidebarState('my_sidebar_state=false')).toBe(true);
});

test('the cookie lasts seven days, for the whole console', () => {
  expect(sidebarCookie(false)).toBe('sidebar_state=false; path=/; max-age=604800; SameSite=Lax');
});

test('a theme is light, dark or the system’s, and anything else that is stored is the system’s', () => {
  for (const theme of ['light', 'dark', 'system'] as const) {
    expect(readTheme(theme)).toBe(theme);
    expect(toTheme(toScheme(theme))).toBe(theme);
  }
  expect(readTheme(null)).toBe('system');
  expect(readTheme('<script>')).toBe('system');
});
