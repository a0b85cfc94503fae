/** Workflows cannot run now, whatever their code does. */
import { ApiError } from '#worker/http/api-error';

/** Refuses the call of a person; an access check goes on without workflows. */
export class RunnerError extends ApiError {
  /** For the log. */
  readonly reason: string;
  /** Whether customers' code may have begun to run, or to be read. */
  readonly hasStarted: boolean;
  /** Whether it began and did not end in time. */
  readonly isLate: boolean;

  constructor(reason: string, { hasStarted = false, isLate = false } = {}) {
    super('unavailable', 'Workflows are unavailable. Try again in a moment.', {
      headers: { 'retry-after': '2' },
    });
    this.reason = reason;
    this.hasStarted = hasStarted;
    this.isLate = isLate;
  }
}
