/** Integrations as a grid of cards that link to their pages, with a skeleton of the same shape while they load. */
import { Box, Flex, Skeleton, Stack } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './cards.module.css';

const SKELETONS = ['first', 'second'];

export interface IntegrationCardsProps<Item> {
  /** Names the list for screen readers. */
  readonly label: string;
  /** Undefined while loading. */
  readonly integrations: readonly Item[] | undefined;
  readonly renderCard: (integration: Item) => ReactNode;
}

export function IntegrationCards<Item extends { readonly id: string }>(props: IntegrationCardsProps<Item>) {
  const { label, integrations, renderCard } = props;
  if (integrations === undefined) {
    return (
      <Box
        className="list grid gap-12"
        style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 320px), 1fr))' }}
        role="status"
        aria-label="Loading"
      >
        {SKELETONS.map((card) => (
          <div key={card} className={classes.card}>
            <Flex gap={14} flex={1} p={16}>
              <Skeleton height={32} width={32} radius={6} />
              <Stack gap={0} flex={1} miw={0}>
                <Skeleton height={15} width="45%" />
                <Skeleton height={12} width="75%" mt={10} />
              </Stack>
            </Flex>
            <div className={classes.foot}>
              <Skeleton height={12} width="70%" />
            </div>
          </div>
        ))}
      </Box>
    );
  }
  return (
    <Box
      component="ul"
      className="list grid gap-12"
      style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 320px), 1fr))' }}
      aria-label={label}
    >
      {integrations.map((integration) => (
        <li key={integration.id}>{renderCard(integration)}</li>
      ))}
    </Box>
  );
}

export interface IntegrationCardProps {
  readonly to: string;
  readonly icon: TablerIcon;
  readonly name: string;
  readonly badge?: ReactNode;
  readonly description: string | null;
  /** Lines below the description. */
  readonly facts: readonly ReactNode[];
  /** Between the facts and the foot: a connection error. */
  readonly alert?: ReactNode;
  readonly foot: ReactNode;
}

export function IntegrationCard(props: IntegrationCardProps) {
  const { to, icon: Icon, name, badge, description, facts, alert, foot } = props;
  return (
    <Link className={classes.card} to={to}>
      <Flex component="span" gap={14} flex={1} p={16}>
        <Box component="span" flex="none" bdrs="md" w={32} h={32} className="centre accent">
          <Icon size={17} stroke={1.6} aria-hidden />
        </Box>
        <Flex component="span" direction="column" flex={1} miw={0}>
          <Flex component="span" align="flex-start" gap={8} justify="space-between">
            <span className="bold breaks">{name}</span> {badge}
          </Flex>{' '}
          {description !== null && <span className={classes.description}>{description}</span>}
          {facts.map((fact, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no identity and never move.
            <span key={index} className={classes.facts}>
              {' '}
              {fact}
            </span>
          ))}
        </Flex>
      </Flex>{' '}
      {alert} <span className={classes.foot}>{foot}</span>
    </Link>
  );
}
