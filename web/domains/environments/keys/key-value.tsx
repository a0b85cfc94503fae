/** A key, masked until the user reveals it. */
import { Button, Group } from '@mantine/core';
import type { ApiKey } from '#contracts/console/api-keys';
import { CopyBadge } from '#web/ui/copy-badge.tsx';
import classes from './keys.module.css';
import { useRevealKey } from './mutations.ts';

export function KeyValue({ orgId, apiKey }: { orgId: string; apiKey: ApiKey }) {
  const { data, isPending, mutate, reset } = useRevealKey(orgId);
  return (
    <Group component="span" gap="6px 12px">
      <code className="shrink small breaks">{data?.value ?? apiKey.maskedValue}</code>
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
    </Group>
  );
}
