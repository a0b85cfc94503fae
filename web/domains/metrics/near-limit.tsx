/** Customers near a limit: the list of the Metrics tab, and the dashboard's card. */
import { Button, Flex, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Environment } from '#contracts/console/environments';
import type { EventMetrics } from '#contracts/console/event-metrics';
import { paths } from '#web/paths.ts';
import { useCustomerNames } from '#web/session/customer-names.ts';
import { RankedBars } from '#web/ui/charts/ranked-bars.tsx';
import { formatNumber } from '#web/ui/format.ts';
import { Section } from '#web/ui/page/section.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { shownIdentifier } from '#web/values/shown-identifier.ts';
import { nearLimitQuery } from './near-limit-query.ts';

export interface NearLimitBarsProps {
  readonly orgId: string;
  /** Undefined: all. */
  readonly environment: string | undefined;
  /** Each row names its environment if all are shown. Undefined while loading. */
  readonly environments: readonly Environment[] | undefined;
  readonly nearLimit: EventMetrics['nearLimit'];
}

export function NearLimitBars({ orgId, environment, environments, nearLimit }: NearLimitBarsProps) {
  const names = useCustomerNames(orgId, nearLimit);
  const nameOf = (envId: string) => environments?.find(({ id }) => id === envId)?.name;
  return (
    <RankedBars
      label="Customers near a limit"
      empty="No customers are near a limit."
      highest={1}
      items={nearLimit.map(({ envId, identifier, feature, property, used, limit }) => ({
        key: `${envId} ${identifier} ${feature} ${property}`,
        label: (
          <Flex component="span" direction="column">
            <bdi className="medium truncate" title={identifier}>
              {names.get(identifier) ?? shownIdentifier(identifier)}
            </bdi>
            <Flex component="span" gap={6} className="muted tiny">
              <code className="truncate">
                {feature}.{property}
              </code>{' '}
              {environment === undefined && <span className="truncate">{nameOf(envId)}</span>}
            </Flex>
          </Flex>
        ),
        parts: [
          {
            value: limit === 0 ? 1 : Math.min(1, used / limit),
            colour: used >= limit ? '--denied' : '--warning',
          },
        ],
        figure: `${formatNumber(used)} of ${formatNumber(limit)}`,
        to: paths.customer(orgId, identifier, envId),
      }))}
    />
  );
}

const SHOWN = 5;
const SKELETONS = ['one', 'two', 'three'];

export function NearLimitCard({ orgId, environments }: Pick<NearLimitBarsProps, 'orgId' | 'environments'>) {
  const { data, error, refetch } = useQuery(nearLimitQuery(orgId));
  return (
    <Section
      title="Customers near a limit"
      isFlush
      actions={
        <Button component={Link} to={paths.observability(orgId, 'metrics')} variant="default" size="xs">
          Metrics
        </Button>
      }
    >
      {data !== undefined ? (
        <NearLimitBars
          orgId={orgId}
          environment={undefined}
          environments={environments}
          nearLimit={data.slice(0, SHOWN)}
        />
      ) : error !== null ? (
        <ErrorState title="The customers could not be loaded" error={error} onRetry={refetch} />
      ) : (
        <Stack gap={16} style={{ padding: '4px 20px 20px' }} role="status" aria-label="Loading">
          {SKELETONS.map((row) => (
            <Skeleton key={row} height={32} />
          ))}
        </Stack>
      )}
    </Section>
  );
}
