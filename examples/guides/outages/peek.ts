import { tessera } from './tessera';

/** Without a promise, for code that cannot wait. Null if nothing is cached. */
export function badgeFor(user: string): string {
  const exports = tessera.peek('data-exports.exports', { on: { user } })?.value;
  return exports?.state === 'metered' ? `${exports.remaining} exports left` : '';
}

/** After a checkout: the next read calls the API again. */
export function onCheckoutCompleted(user: string): void {
  tessera.refresh({ user });
}
