/** In place of a diff that could not be calculated, in the words of the specification (section 8). */
import { ApiError } from '../../api/api-error.ts';
import { ErrorState } from '../../ui/error-state.tsx';

const WORDS = 'Something went wrong when calculating the changes in this version.';

export function DiffProblem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <ErrorState
      title="Unable to calculate changes"
      error={Object.assign(new Error(WORDS), { requestId })}
      onRetry={onRetry}
    />
  );
}
