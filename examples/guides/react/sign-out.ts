import { tessera } from './tessera';

/** Drops what the previous user had before anything renders again. */
export function signOut(): void {
  sessionStorage.removeItem('token');
  tessera.reset();
}
