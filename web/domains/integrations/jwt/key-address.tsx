/** Where the keys come from, when they were last fetched, and a warning if the address has been silent for a day. */
import { Stack } from '@mantine/core';
import type { JwtIntegration } from '#contracts/console/integrations';
import { DAY_MS } from '#engine/durations';
import { formatInstant } from '#web/ui/format.ts';
import { Notice } from '#web/ui/states/notice.tsx';

export interface KeyAddressProps {
  readonly integration: Pick<JwtIntegration, 'keyAddress' | 'keysFetchedAt' | 'keysProblem'>;
  readonly now: number;
}

/** Nothing for pasted keys. */
export function KeyAddress({
  integration: { keyAddress, keysFetchedAt, keysProblem },
  now,
}: KeyAddressProps) {
  if (keyAddress === null) return null;
  const isSilent = keysProblem !== null && now - (keysFetchedAt ?? 0) >= DAY_MS;
  return (
    <Stack gap={8}>
      <span className="muted small breaks">
        From <code className="strong">{keyAddress}</code>
        {keysFetchedAt !== null &&
          `, fetched ${formatInstant(keysFetchedAt)}. Fetched again every ten minutes.`}
      </span>
      {keysProblem !== null && !isSilent && (
        <span className="muted small">{`Last attempt failed: ${keysProblem}. The keys below are still accepted.`}</span>
      )}
      {isSilent && (
        <Notice role="alert">
          {`The address has returned no keys for a day: ${keysProblem}. The keys below are still accepted. Tokens signed with newer keys are treated as anonymous.`}
        </Notice>
      )}
    </Stack>
  );
}
