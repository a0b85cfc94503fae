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

// Starts the calls that the page begins with, which the server names in a browser with a session. web/api/first-calls.ts takes the answers.
(() => {
  const urls = (document.documentElement.dataset.firstCalls ?? '').split(' ').filter(Boolean);
  window.startedCalls = new Map(
    urls.map((url) => {
      const answer = fetch(url, { credentials: 'include' });
      answer.catch(() => {}); // Who takes it reports the failure.
      return [url, { answer, sentAt: Date.now() }];
    }),
  );
})();
