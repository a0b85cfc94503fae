/**
 * Whether an element is on the screen or close to it. Long pages render only content near the viewport. An element that
 * contains the focus stays rendered, so that no field is lost while someone types.
 */
import { type RefObject, startTransition, useEffect, useState } from 'react';

/** The margin above and below the screen, relative to its height. */
const MARGIN = '100%';

type Listener = (isNear: boolean) => void;

const listeners = new WeakMap<Element, Listener>();
let observer: IntersectionObserver | undefined;

function observe(element: Element, listener: Listener): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting);
    },
    { rootMargin: `${MARGIN} 0px` },
  );
  listeners.set(element, listener);
  observer.observe(element);
  return () => {
    observer?.unobserve(element);
    listeners.delete(element);
  };
}

/** `onLeave` runs just before the element stops being near. */
export function useNearViewport(
  ref: RefObject<HTMLElement | null>,
  isInitiallyNear: boolean,
  onLeave: () => void,
): boolean {
  const [isNear, setIsNear] = useState(isInitiallyNear);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    return observe(element, (isNowNear) => {
      if (!isNowNear) {
        if (element.contains(document.activeElement)) return;
        onLeave();
      }
      startTransition(() => setIsNear(isNowNear));
    });
  }, [ref, onLeave]);
  return isNear;
}
