/** What changed workflows would decide differently in recorded checks, before a version is deployed. */
import { Anchor, Box, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Replay, ReplayKind } from '#contracts/console/impact';
import { errorNotice } from '#web/api/error-notice.ts';
import { paths } from '#web/paths.ts';
import { useCustomerNames } from '#web/session/customer-names.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { counted, formatNumber } from '#web/ui/format.ts';
import { ShortAge } from '#web/ui/labels/age.tsx';
import { shownIdentifier } from '#web/values/shown-identifier.ts';
import { replayQuery } from '../queries.ts';
import classes from './impact.module.css';
import { REPLAY_LABELS, replaySentences } from './replay-words.ts';

export interface ReplayPartProps {
  readonly environmentId: string;
  /** Null: the workspace. */
  readonly toArtifactId: string | null;
}

export function ReplayPart({ environmentId, toArtifactId }: ReplayPartProps) {
  const { data, error, refetch } = useQuery(replayQuery(useOrgId(), environmentId, toArtifactId));
  if (data === undefined && error !== null) {
    return (
      <Group justify="space-between" gap={8} px="md" py={8} className={classes.replay}>
        <Text fz="sm">{`Recorded checks could not be decided again. ${errorNotice(error).description}`}</Text>
        <Button variant="default" size="compact-sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </Group>
    );
  }
  return (
    <Box className={classes.replay}>
      <Box role="status">
        {(data === undefined
          ? ['Deciding recorded checks with the changed workflows...']
          : replaySentences(data)
        ).map((sentence) => (
          <Text key={sentence} fz="sm" c="dimmed" px="md" py={8}>
            {sentence}
          </Text>
        ))}
      </Box>
      {data !== undefined && data.customers.length > 0 && (
        <ReplayedCustomers replay={data} environmentId={environmentId} />
      )}
    </Box>
  );
}

const TONES: Readonly<Record<ReplayKind, string>> = {
  denied: 'denied',
  fails: 'warning',
  allowed: 'accent',
  changes: 'muted sunk',
};

interface ReplayedCustomersProps extends Pick<ReplayPartProps, 'environmentId'> {
  readonly replay: Replay;
}

function ReplayedCustomers({ replay: { customers, customersLeft }, environmentId }: ReplayedCustomersProps) {
  const orgId = useOrgId();
  const names = useCustomerNames(orgId, customers);
  return (
    <>
      <ul className="list divided" aria-label="Checks that are decided differently">
        {customers.map(({ kind, identifier, checks, eventId, at, reason }) => (
          <li key={`${kind} ${identifier}`} className={classes.change}>
            <span className={classes.kind}>
              <span className={`limit-mark ${TONES[kind]}`}>{REPLAY_LABELS[kind]}</span>
            </span>
            <Box miw={0}>
              {identifier === null ? (
                'Anonymous'
              ) : (
                <Anchor
                  component={Link}
                  to={paths.customer(orgId, identifier, environmentId)}
                  fw={500}
                  title={identifier}
                  className="breaks"
                >
                  {names.get(identifier) ?? shownIdentifier(identifier)}
                </Anchor>
              )}
            </Box>
            <Box miw={0} className="breaks">
              {counted(checks, 'check')}
              {reason !== null && <Text span fz="sm" c="dimmed">{` ${reason}`}</Text>}
            </Box>
            <Group gap={6} align="baseline" wrap="nowrap">
              <Anchor component={Link} to={paths.events(orgId, { event: eventId })}>
                Latest event
              </Anchor>
              <Text span fz="sm" c="dimmed">
                <ShortAge at={at} />
              </Text>
            </Group>
          </li>
        ))}
      </ul>
      {customersLeft > 0 && (
        <Text fz="sm" c="dimmed" px="md" py={8}>
          {`and ${formatNumber(customersLeft)} more`}
        </Text>
      )}
    </>
  );
}
