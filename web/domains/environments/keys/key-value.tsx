/** A key, masked until the user reveals it. It can be copied without being shown: the server audits both as a reveal. */
import { Button, Group } from '@mantine/core';
import type { ApiKey } from '#contracts/console/api-keys';
import { useOrgId } from '#web/session/organisation.tsx';
import { CopyLater } from '#web/ui/copy/copy-later.tsx';
import classes from './keys.module.css';
import { useRevealKey } from './mutations.ts';

export function KeyValue({ apiKey }: { apiKey: ApiKey }) {
  const orgId = useOrgId();
  const { data, isPending, mutate, reset } = useRevealKey(orgId);
  const copying = useRevealKey(orgId);
  const { id, maskedValue } = apiKey;
  return (
    <Group component="span" gap="6px 12px">
      <code className="shrink small breaks">{data?.value ?? maskedValue}</code>
      <span className={`inline-row gap-6 ${classes.keyActions}`}>
        <CopyLater
          label={`the key ${maskedValue}`}
          read={async () => (data ?? (await copying.mutateAsync(id))).value}
          onDone={copying.reset}
        />
        <Button
          variant="default"
          size="compact-xs"
          disabled={isPending}
          aria-label={isPending ? undefined : `${data === undefined ? 'Reveal' : 'Hide'} ${maskedValue}`}
          onClick={() => (data === undefined ? mutate(id) : reset())}
        >
          {isPending ? 'Loading...' : data === undefined ? 'Reveal' : 'Hide'}
        </Button>
      </span>
    </Group>
  );
}
