/** Dead-lettered queue messages, with the actions retry and discard. */
import { Box, Button, Flex, Group, Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeadLetter } from '#contracts/console/sudo';
import { toast } from '#web/toast.ts';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { counted, formatNumber } from '#web/ui/format.ts';
import { Age } from '#web/ui/labels/age.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { EmptyState } from '#web/ui/states/empty-state.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { useDiscardDeadLetter, useRetryDeadLetter, useRetryDeadLetters } from './mutations.ts';
import { deadLettersQuery } from './queries.ts';

const SKELETONS = ['first', 'second', 'third'];

export function DeadLetters() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(deadLettersQuery);
  if (data === undefined && error !== null) {
    return <ErrorState title="The messages could not be loaded" error={error} onRetry={refetch} />;
  }
  if (data === undefined) {
    return (
      <div className="list grid gap-12" role="status" aria-label="Loading">
        {SKELETONS.map((letter) => (
          <Section key={letter}>
            <Skeleton height={16} width="40%" mb={12} />
            <Skeleton height={48} />
          </Section>
        ))}
      </div>
    );
  }
  const letters = data.pages.flatMap(({ items }) => items);
  if (letters.length === 0) {
    return (
      <EmptyState title="Nothing undelivered">
        All messages were delivered. A message that fails after every retry appears here.
      </EmptyState>
    );
  }
  return (
    <>
      <Queues queues={data.pages[0]?.queues ?? []} />
      <ul className="list grid gap-12" aria-label="Undelivered messages">
        {letters.map((letter) => (
          <li key={letter.id}>
            <Letter letter={letter} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}

/** A queue with several messages can be retried as a whole. */
function Queues({ queues }: { queues: readonly { queue: string; total: number }[] }) {
  const retry = useRetryDeadLetters();
  const many = queues.filter(({ total }) => total > 1);
  if (many.length === 0) return null;
  return (
    <Section>
      <ul className="list grid gap-12" aria-label="Queues">
        {many.map(({ queue, total }) => (
          <Group component="li" key={queue} gap="8px 12px">
            <span className="bold mono">{nameOf(queue)}</span>
            <span className="muted regular">{formatNumber(total)} messages</span>
            <Button
              style={{ marginInlineStart: 'auto' }}
              variant="default"
              aria-label={`Try all of ${nameOf(queue)} again`}
              loading={retry.isPending && retry.variables === queue}
              disabled={retry.isPending}
              onClick={() => retry.mutate(queue, { onSuccess: showRetried })}
            >
              Try all again
            </Button>
          </Group>
        ))}
      </ul>
    </Section>
  );
}

function showRetried({ sent, remaining }: { sent: number; remaining: number }): void {
  const messages = `${counted(sent, 'message')} sent again`;
  if (remaining === 0) void toast.success(messages);
  else void toast.error(`${messages}, ${formatNumber(remaining)} could not be sent`);
}

/** The queue that the messages were in first. */
function nameOf(queue: string): string {
  return queue.replace(/-dead$/, '');
}

function Letter({ letter: { id, queue, type, orgId, body, attempts, diedAt } }: { letter: DeadLetter }) {
  const retry = useRetryDeadLetter();
  const discard = useDiscardDeadLetter();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Section>
      <Group gap="8px 12px">
        <span className="bold mono">{type}</span>
        <span className="muted regular">
          {nameOf(queue)} · {attempts === 1 ? '1 try' : `${attempts} tries`} · given up <Age at={diedAt} />
        </span>
        {orgId !== null && <CopyId value={orgId} label="organisation ID" />}
        <Flex component="span" gap={8} style={{ marginInlineStart: 'auto' }}>
          <Button variant="default" onClick={() => setIsAsking(true)}>
            Discard
          </Button>
          <Button
            loading={retry.isPending}
            onClick={() => retry.mutate(id, { onSuccess: () => void toast.success('Message sent again') })}
          >
            Try again
          </Button>
        </Flex>
      </Group>
      <Box component="pre" mt={12} mb={0} ff="monospace" fz="xs" style={{ overflowX: 'auto' }} tabIndex={0}>
        {JSON.stringify(body, null, 2)}
      </Box>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Discard this message?"
        confirmLabel={`Discard ${type}`}
        dismissLabel="Keep it"
        isBusy={discard.isPending}
        onConfirm={() => discard.mutate(id, { onSuccess: () => void toast.success('Message discarded') })}
      >
        The message is deleted without being processed. The item it is about may stay outdated until its next
        change.
      </ConfirmDialog>
    </Section>
  );
}
