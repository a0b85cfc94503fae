/** Public configuration, which the authentication pages read before sign-in. Read once per page load. */
import { useEffect, useState } from 'react';
import { frontendEndpoints } from '#contracts/console/frontend';
import type { AnswerOf } from '#contracts/public/endpoint';
import { pauseAfter } from '#engine/back-off';
import { shouldRetry } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';

type FrontendConfig = AnswerOf<typeof frontendEndpoints.config>;

/** `shouldRetry` ends them. */
const PAUSES_MS = { first: 1000, longest: Infinity };

let reading: Promise<FrontendConfig> | undefined;
let known: FrontendConfig | undefined;

/** After a failure, the next caller tries again. */
function readFrontendConfig(): Promise<FrontendConfig> {
  reading ??= readWithRetries().catch((error: unknown) => {
    reading = undefined;
    throw error;
  });
  return reading;
}

async function readWithRetries(): Promise<FrontendConfig> {
  for (let failures = 0; ; failures += 1) {
    try {
      known = await call(frontendEndpoints.config, {});
      return known;
    } catch (error) {
      if (!shouldRetry(failures, error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseAfter(failures + 1, PAUSES_MS)));
    }
  }
}

/** `config` is undefined while it is read. */
export function useFrontendConfig(): { config: FrontendConfig | undefined; hasFailed: boolean } {
  const [config, setConfig] = useState(known);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    const follow = async () => {
      const found = await readFrontendConfig().catch(() => null);
      if (!isCurrent) return;
      setFailed(found === null);
      if (found !== null) setConfig(found);
    };
    const read = () => void follow();
    read();
    // As the query cache does: tried again when the network or the reader is back.
    window.addEventListener('online', read);
    document.addEventListener('visibilitychange', read);
    return () => {
      isCurrent = false;
      window.removeEventListener('online', read);
      document.removeEventListener('visibilitychange', read);
    };
  }, []);
  return { config, hasFailed };
}
