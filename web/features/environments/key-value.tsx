/** A key, masked until it is revealed; hidden again when asked. */
import { Button } from '@mantine/core';
import type { ApiKey } from '#contracts/api-keys';
import { CopyBadge } from '../../ui/copy-badge.tsx';
import classes from './keys.module.css';
import { useRevealKey } from './mutations.ts';

export function KeyValue({ orgId, apiKey }: { orgId: string; apiKey: ApiKey }) {
  const { data, isPending, mutate, reset } = useRevealKey(orgId);
  return (
    <span className={classes.key}>
      <code className={classes.full}>{data?.value ?? apiKey.maskedValue}</code>
      <span className={classes.keyActions}>
        {data === undefined ? (
          <Button
            variant="default"
            size="compact-xs"
            disabled={isPending}
            aria-label={isPending ? undefined : `Reveal ${apiKey.maskedValue}`}
            onClick={() => mutate(apiKey.id)}
          >
            {isPending ? 'Loading...' : 'Reveal'}
          </Button>
        ) : (
          <>
            <CopyBadge value={data.value} label="the key" />
            <Button variant="default" size="compact-xs" onClick={reset}>
              Hide
            </Button>
          </>
        )}
      </span>
    </span>
  );
}
