import { tessera } from './tessera';

/** Drops the previous user’s answers before anything renders again. */
export function signOut(): void {
  sessionStorage.removeItem('token');
  tessera.reset();
}
