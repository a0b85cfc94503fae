/** Why a model was not called. */
import type { LimitReachedError } from '../ai.ts';
import type { Meter } from '../index.ts';

export class LimitReached extends Error implements LimitReachedError {
  declare readonly name: 'LimitReachedError';
  readonly meter: Meter;

  /** Also of the package's other module format, where an application loads both. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Object(value).name === 'LimitReachedError';
  }

  constructor(path: string, meter: Meter) {
    super(meter.state === 'off' ? `The customer’s plans have no ${path}` : `The limit of ${path} is reached`);
    Object.assign(this, { name: 'LimitReachedError' });
    this.meter = meter;
  }
}
