// Runs before the first paint, so that the page does not flash in the wrong theme. Same rule as theme/colour-scheme.ts:
// the value stored under `ui-theme` (light, dark, system), otherwise the device's setting.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem('ui-theme');
  } catch {
    // Storage is blocked. Use the device's setting.
  }
  const isDark =
    stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  const scheme = isDark ? 'dark' : 'light';
  document.documentElement.classList.add(scheme);
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
})();
