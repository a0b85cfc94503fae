/** A call of the authentication service and whether it is running, for pages that load without a query cache. */
import { useState } from 'react';

export interface AuthCall<Input, Outcome> {
  /** Resolves to the call's outcome. */
  readonly run: (input: Input) => Promise<Outcome>;
  readonly isPending: boolean;
}

export function useAuthCall<Input, Outcome>(
  call: (input: Input) => Promise<Outcome>,
): AuthCall<Input, Outcome> {
  const [isPending, setPending] = useState(false);
  const run = async (input: Input) => {
    setPending(true);
    try {
      return await call(input);
    } finally {
      setPending(false);
    }
  };
  return { run, isPending };
}
