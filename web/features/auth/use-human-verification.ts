/** The state of a form's human verification, shared by the widget that changes it and the form that waits for it. */
import { useCallback, useMemo, useRef, useState } from 'react';

export type VerificationStatus = 'loading' | 'solved' | 'error' | 'expired';

/** What the widget can be asked for. */
export interface VerificationWidget {
  /** Waits for the answer; rejects or answers undefined when none comes. */
  readonly getToken: () => Promise<string | undefined>;
  /** A token is good for one call: afterwards a new one is needed. */
  readonly reset: () => void;
}

export interface HumanVerification {
  readonly status: VerificationStatus;
  readonly isSolved: boolean;
  /** In the words of the specification (section 8), or null. */
  readonly problem: string | null;
  /** The token for the next call, or null, and then `problem` says that one is missing. */
  readonly takeToken: () => Promise<string | null>;
  /** Called by the widget: itself when it appears, null when it goes away. */
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
