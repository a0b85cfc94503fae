/**
 * Tells screen readers the title of every page after the first, which browsers do only when they load a document. What is said is no
 * content of the page: it is in a closed shadow tree, where nothing that searches the page finds it.
 */

export function announcePages(page: Document): void {
  const announcer = page.createElement('div');
  announcer.className = 'visually-hidden';
  const region = page.createElement('p');
  region.ariaLive = 'polite';
  announcer.attachShadow({ mode: 'closed' }).append(region);
  page.body.prepend(announcer); // After the page it would make it a pixel taller than the window.
  const { pathname } = page.location;
  let hasNavigated = false;
  new MutationObserver(() => {
    const title = page.title.replace(/ · Tessera$/, '');
    hasNavigated ||= page.location.pathname !== pathname;
    if (hasNavigated && title !== '' && region.textContent !== title) region.textContent = title;
  }).observe(page.head, { childList: true, subtree: true, characterData: true });
}
