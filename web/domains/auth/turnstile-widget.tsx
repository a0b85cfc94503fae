/** Cloudflare Turnstile, connected to a form's human verification. Loaded only when it is configured. */
import { useComputedColorScheme } from '@mantine/core';
import { Turnstile, type TurnstileInstance } from '@marsidev/react-turnstile';
import { useEffect, useRef } from 'react';
import classes from './auth.module.css';
import type { HumanVerification } from './use-human-verification.ts';

/** Delay before a retry after a failure, timeout for a response, and interval between checks for it. */
const RETRY_INTERVAL_MS = 8000;
const ANSWER_TIMEOUT_MS = 30_000;
const ANSWER_POLL_MS = 100;

export interface TurnstileWidgetProps {
  readonly siteKey: string;
  readonly verification: HumanVerification;
}

export function TurnstileWidget({ siteKey, verification }: TurnstileWidgetProps) {
  const { attach, setStatus } = verification;
  const instance = useRef<TurnstileInstance>(null);
  const theme = useComputedColorScheme('light');
  useEffect(() => {
    attach({
      getToken: async () => instance.current?.getResponsePromise(ANSWER_TIMEOUT_MS, ANSWER_POLL_MS),
      reset: () => {
        setStatus('loading');
        instance.current?.reset();
      },
    });
    return () => attach(null);
  }, [attach, setStatus]);
  return (
    <Turnstile
      ref={instance}
      className={classes.widget}
      siteKey={siteKey}
      options={{ theme, size: 'flexible', retryInterval: RETRY_INTERVAL_MS }}
      scriptOptions={{ onError: () => setStatus('error') }}
      onSuccess={() => setStatus('solved')}
      onError={() => setStatus('error')}
      onExpire={() => setStatus('expired')}
    />
  );
}
