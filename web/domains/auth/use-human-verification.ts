/** Human verification state, shared by the widget that updates it and the form that waits for it. */
import { useCallback, useMemo, useRef, useState } from 'react';

export type VerificationStatus = 'loading' | 'solved' | 'error' | 'expired';

/** The widget's imperative interface. */
export interface VerificationWidget {
  /** Waits for a token. Rejects or resolves to undefined if none arrives. */
  readonly getToken: () => Promise<string | undefined>;
  /** Discards the token. A token is valid for one call only. */
  readonly reset: () => void;
}

export interface HumanVerification {
  readonly status: VerificationStatus;
  readonly isSolved: boolean;
  /** The message to show, or null. */
  readonly problem: string | null;
  /** The token for the next call. Null if verification failed; `problem` is set then. */
  readonly takeToken: () => Promise<string | null>;
  /** Called by the widget with itself on mount and with null on unmount. */
  readonly attach: (widget: VerificationWidget | null) => void;
  readonly setStatus: (status: VerificationStatus) => void;
  readonly reset: () => void;
}

const MISSING = 'Please complete the captcha to continue.';
const PROBLEMS: Partial<Record<VerificationStatus, string>> = {
  error: 'Human verification failed, please try again later.',
  expired: 'Please refresh the page and try again.',
};

export function useHumanVerification(): HumanVerification {
  const [status, setStatus] = useState<VerificationStatus>('loading');
  const [isMissing, setIsMissing] = useState(false);
  const widget = useRef<VerificationWidget | null>(null);

  const attach = useCallback((next: VerificationWidget | null) => {
    widget.current = next;
    if (next === null) setStatus('loading');
  }, []);
  const takeToken = useCallback(async () => {
    const token = await widget.current?.getToken().catch(() => undefined);
    setIsMissing(!token);
    return token || null;
  }, []);
  const reset = useCallback(() => widget.current?.reset(), []);

  return useMemo(
    () => ({
      status,
      isSolved: status === 'solved',
      problem: PROBLEMS[status] ?? (isMissing ? MISSING : null),
      takeToken,
      attach,
      setStatus,
      reset,
    }),
    [status, isMissing, takeToken, attach, reset],
  );
}
