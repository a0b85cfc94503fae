/**
 * Keeps the focus from falling to the page's body when what has it goes: by a navigation, a deletion, a menu or dialog that closes, or
 * a button that is disabled. It goes to the next row of the same list, else to another control of the same dialog, else back to what
 * had it before the menu or dialog, else to the page's content. Whoever leaves a control by a click beside it has left it.
 */

/** Where the focus was. */
interface Place {
  readonly element: HTMLElement;
  /** The list or table that contains it, and the position of its row. */
  readonly list: Element | null;
  readonly index: number;
  /** The menu or dialog that contains it: the place before is its opener. */
  readonly overlay: HTMLElement | null;
}

const PLACES = 8;
const CONTROLS = 'a[href], button, input, select, textarea, [tabindex="0"]';
const OVERLAYS = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
const LISTS = 'tbody, ul, ol';

/** Dialogs give the focus back themselves, within this time. */
const PATIENCE_MS = 40;
/** What is disabled while something is saved has the focus again afterwards. */
const SAVING = '[inert], [data-loading], fieldset:disabled';
/** The same for what does not say that it waits. */
const DISABLED_MS = 1_000;

export function keepFocus(page: Document): void {
  /** Newest first. */
  let places: Place[] = [];
  /** When the newest place was found to be lost. */
  let lostAt: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isLost = () => page.activeElement === page.body || page.activeElement === null;
  const look = (delayMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(recover, delayMs);
  };
  const recover = () => {
    const [newest] = places;
    if (newest === undefined || !isLost()) return;
    lostAt ??= performance.now();
    const disabledMs = performance.now() - lostAt;
    if (newest.element.isConnected && !isUsable(newest.element)) {
      if (newest.element.closest(SAVING) !== null) return;
      if (disabledMs < DISABLED_MS) return look(DISABLED_MS - disabledMs);
    }
    (nextPlace(places) ?? page.querySelector('main'))?.focus({ preventScroll: true });
  };

  page.addEventListener('focusin', ({ target }) => {
    lostAt = null;
    if (!(target instanceof HTMLElement)) return;
    const before = places.filter(({ element }) => element.isConnected && element !== target);
    places = [placeOf(target), ...before].slice(0, PLACES);
  });
  page.addEventListener('focusout', ({ target, relatedTarget }) => {
    if (relatedTarget !== null) return;
    // Browsers also send it for an element that is being removed.
    queueMicrotask(() => {
      if (isLost() && places[0]?.element === target && isUsable(places[0].element)) places = [];
    });
  });
  new MutationObserver(() => {
    if (places.length > 0 && isLost()) look(PATIENCE_MS);
  }).observe(page.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'inert', 'hidden'],
  });
}

function placeOf(element: HTMLElement): Place {
  const list = element.closest(LISTS);
  const row = list === null ? -1 : [...list.children].findIndex((child) => child.contains(element));
  return { element, list, index: row, overlay: element.closest<HTMLElement>(OVERLAYS) };
}

function nextPlace(places: readonly Place[]): HTMLElement | null {
  for (const { element, list, index, overlay } of places) {
    if (isUsable(element)) return element;
    const near = [
      list?.isConnected ? list.children[Math.min(index, list.children.length - 1)] : null,
      overlay,
    ];
    for (const surroundings of near) {
      const control = [...(surroundings?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])].find(isUsable);
      if (control !== undefined) return control;
    }
    if (overlay === null) return null;
  }
  return null;
}

function isUsable(element: HTMLElement): boolean {
  return (
    element.isConnected &&
    !element.matches(':disabled') &&
    element.closest('[inert]') === null &&
    element.checkVisibility({ visibilityProperty: true })
  );
}
