// Runs before anything is painted, so that the page never flashes in the other theme. The rule is that of
// theme/colour-scheme.ts: what is stored under `ui-theme` (light, dark, system), or else the device's own choice.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem('ui-theme');
  } catch {
    // Storage is blocked: the device decides.
  }
  const isDark =
    stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  const scheme = isDark ? 'dark' : 'light';
  document.documentElement.classList.add(scheme);
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
})();
