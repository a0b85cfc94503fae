/** Error state of a diff that the server could not calculate. */
import { ApiError } from '#web/api/api-error.ts';
import { ErrorState } from '#web/ui/states/error-state.tsx';

const MESSAGE = 'Something went wrong when calculating the changes in this version.';

export function DiffProblem({ error, onRetry }: { error: Error; onRetry: () => unknown }) {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <ErrorState
      title="Unable to calculate changes"
      error={Object.assign(new Error(MESSAGE), { requestId })}
      onRetry={onRetry}
    />
  );
}
