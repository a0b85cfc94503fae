/** The organisation's newest calls with their outcomes. Waits for the first, and shows each within seconds. */
import { Box, Group, Text, Title } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Event } from '#contracts/console/events';
import { paths } from '#web/paths.ts';
import { DecisionRow } from '#web/values/decision-row.tsx';
import { newestDecisionsQuery } from './queries.ts';

const WAITING_MS = 2_000;
const ARRIVED_MS = 5_000;
const SHOWN = 3;

export interface ArrivingCallsProps {
  readonly orgId: string;
  /** What comes next, once a call has arrived. */
  readonly next: ReactNode;
  /** Below the calls. */
  readonly noteOf: (newest: Event) => ReactNode;
}

export function ArrivingCalls({ orgId, next, noteOf }: ArrivingCallsProps) {
  const { data = [] } = useQuery({
    ...newestDecisionsQuery(orgId),
    refetchInterval: ({ state }) => (state.data?.length ? ARRIVED_MS : WAITING_MS),
  });
  const arrived = data.slice(0, SHOWN);
  const [newest] = arrived;
  return (
    <Box role="status" mt={16} className="well clip">
      {newest === undefined ? (
        <Group gap={10} px={14} py={12} wrap="nowrap">
          <IconActivity size={15} color="var(--accent)" aria-hidden />
          <Text c="dimmed" fz="sm">
            Waiting for your call. Run the code, and it appears here within seconds.
          </Text>
        </Group>
      ) : (
        <>
          <Group justify="space-between" px={14} py={10}>
            <Title order={3} fz="sm">
              {arrived.length === 1 ? 'Your call arrived' : 'Your calls arrived'}
            </Title>
            {next}
          </Group>
          <ul className="list divided" aria-label="Your calls">
            {arrived.map((event) => (
              <li key={event.id}>
                <DecisionRow event={event} to={paths.events(orgId, { event: event.id })} />
              </li>
            ))}
          </ul>
          <Box px={14}>{noteOf(newest)}</Box>
        </>
      )}
    </Box>
  );
}
