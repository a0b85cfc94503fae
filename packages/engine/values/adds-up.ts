import type { PropertyType } from '#contracts/public/values';

/** Whether values of several plans can add up: numbers do, and the limits of meters. */
export function addsUp(type: PropertyType): boolean {
  return type === 'number' || type === 'meterable';
}
