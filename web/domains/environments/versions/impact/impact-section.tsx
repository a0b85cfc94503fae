/** Who would lose, who would gain and what stays, before a version is deployed. */
import { Anchor, Button, Flex, Group, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconArrowRight, IconChevronRight } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { AffectedCustomer, Impact, ImpactChange, ImpactKind } from '#contracts/console/impact';
import type { PropertyValue } from '#contracts/public/values';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { formatNumber } from '#web/ui/format.ts';
import { useFirstItems } from '#web/ui/lists/use-first-items.tsx';
import { PropertyValueView } from '#web/values/kinds/property-value.tsx';
import { impactQuery } from '../queries.ts';
import classes from './impact.module.css';
import {
  comparedLabel,
  costChangeWords,
  impactFigures,
  impactNotes,
  KIND_LABELS,
  keptCount,
  whoLabel,
} from './impact-words.ts';
import { ReplayPart } from './replay-part.tsx';

export interface ImpactSectionProps {
  readonly environmentId: string;
  /** Null: the workspace. */
  readonly toArtifactId: string | null;
}

export function ImpactSection({ environmentId, toArtifactId }: ImpactSectionProps) {
  const read = useQuery(impactQuery(useOrgId(), environmentId, toArtifactId));
  return (
    <ImpactCard environmentId={environmentId} read={read}>
      {read.data !== undefined && read.data.changedWorkflows.length > 0 && (
        <ReplayPart environmentId={environmentId} toArtifactId={toArtifactId} />
      )}
    </ImpactCard>
  );
}

interface ImpactCardProps extends Omit<ImpactSectionProps, 'toArtifactId'> {
  readonly read: Pick<UseQueryResult<Impact>, 'data' | 'error' | 'refetch'>;
  /** What customers are compared with, if that is no version. */
  readonly base?: string;
  /** Below the customers. */
  readonly children?: ReactNode;
}

export function ImpactCard({ environmentId, read, base, children }: ImpactCardProps) {
  const { data, error, refetch } = read;
  return (
    <section aria-label="Impact" className={classes.impact}>
      <Group justify="space-between" gap="xs" px="md" py={10} className={classes.head}>
        <Text fw={600}>Impact</Text>
        <Text c="dimmed" size="sm" role="status">
          {data === undefined
            ? error === null
              ? 'Comparing known customers...'
              : ''
            : comparedLabel(data, base)}
        </Text>
      </Group>
      {data !== undefined ? (
        <Compared
          environmentId={environmentId}
          impact={data}
          isFirst={base === undefined && data.fromArtifactNumber === null}
        />
      ) : error === null ? (
        <Skeleton height={56} m="md" />
      ) : (
        <Group justify="space-between" px="md" py="sm">
          <Text size="sm">The customers could not be compared. You can go on without it.</Text>
          <Button variant="default" size="compact-sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </Group>
      )}
      {children}
    </section>
  );
}

interface ComparedProps {
  readonly environmentId: string;
  readonly impact: Impact;
  /** Nothing is deployed. */
  readonly isFirst: boolean;
}

function Compared({ environmentId, impact, isFirst }: ComparedProps) {
  const { shown, more } = useFirstItems(impact.changes);
  if (isFirst) {
    return (
      <Text size="sm" c="dimmed" px="md" py="sm">
        Nothing is deployed here yet, so nobody has anything to lose.
      </Text>
    );
  }
  if (impact.customers === 0 && impact.notCompared === 0) {
    return (
      <Text size="sm" c="dimmed" px="md" py="sm">
        No customers are known in this environment yet.
      </Text>
    );
  }
  return (
    <>
      <Group gap={0} align="stretch" className={classes.figures}>
        {impactFigures(impact).map(({ count, label, isBad }) => (
          <Stack key={label} gap={0} px="md" py="sm" className={classes.figure}>
            <Text fz={22} fw={600} lh={1.2} className="figures" {...(isBad && { c: 'var(--denied)' })}>
              {formatNumber(count)}
            </Text>
            <Text size="sm" c="dimmed">
              {label}
            </Text>
          </Stack>
        ))}
      </Group>
      {shown.length + impact.kept.length > 0 && (
        <ul className="list divided">
          {shown.map((change) => (
            <ChangeRow
              key={`${change.kind} ${change.propertyId} ${JSON.stringify([change.before, change.after, change.costs])}`}
              environmentId={environmentId}
              change={change}
            />
          ))}
          {impact.kept.length > 0 && (
            <li className={classes.change}>
              <span className={classes.kind}>
                <span className="limit-mark muted sunk">Keeps</span>
              </span>
              <Who customers={keptCount(impact)} names={impact.kept} environmentId={environmentId}>
                <span className="shrink muted">What they have</span>
              </Who>
            </li>
          )}
        </ul>
      )}
      {more}
      {impactNotes(impact).map((note) => (
        <Text key={note} size="sm" c="dimmed" px="md" py={8}>
          {note}
        </Text>
      ))}
    </>
  );
}

interface ChangeRowProps extends Pick<ComparedProps, 'environmentId'> {
  readonly change: ImpactChange;
}

const TONES: Readonly<Record<ImpactKind, string>> = {
  loses: 'denied',
  less: 'warning',
  changes: 'muted sunk',
  more: 'accent',
  gains: 'accent',
};

function ChangeRow({ environmentId, change }: ChangeRowProps) {
  const { kind, customers, names, featureName, propertyName, path, isFeature, before, after, costs, opened } =
    change;
  const [only] = customers === 1 ? names : [];
  return (
    <li className={classes.change}>
      <span className={classes.kind}>
        <span className={`limit-mark ${TONES[kind]}`}>{KIND_LABELS[kind]}</span>
      </span>
      <Who customers={customers} names={names} environmentId={environmentId}>
        <span className="shrink breaks">
          {isFeature ? featureName : `${featureName} › ${propertyName}`}{' '}
          <code className="faint tiny">{path}</code>
        </span>
        {costs === undefined ? (
          <Flex component="span" display="inline-flex" align="baseline" gap={8} wrap="wrap">
            <Value value={before} isOpened={opened?.before} />
            <Flex component="span" display="inline-flex" align="baseline" gap={8} miw={0}>
              <IconArrowRight size={14} role="img" aria-label="becomes" className={classes.arrow} />
              <Value value={after} isOpened={opened?.after} />
            </Flex>
            {only?.used != null && <span className="muted small">{usageWords(only.used, only.held)}</span>}
          </Flex>
        ) : (
          <span className="shrink breaks">{costChangeWords(costs)}</span>
        )}
      </Who>
    </li>
  );
}

const usageWords = (used: number, held = 0) =>
  `${formatNumber(used)} used${held === 0 ? '' : `, ${formatNumber(held)} held`}`;

interface WhoProps extends Pick<ImpactChange, 'customers' | 'names'> {
  readonly environmentId: string;
  /** Between the customer or their number and the names. */
  readonly children: ReactNode;
}

/** The customer, or how many there are, whose names can be unfolded below. */
function Who({ customers, names, environmentId, children }: WhoProps) {
  const orgId = useOrgId();
  const [isOpen, setOpen] = useState(false);
  const [only] = customers === 1 ? names : [];
  const label = whoLabel({ customers, names });
  const toCustomer = ({ identifier }: AffectedCustomer) => paths.customer(orgId, identifier, environmentId);
  return (
    <>
      <span className="shrink">
        {only === undefined ? (
          <UnstyledButton className={classes.who} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <IconChevronRight size={14} aria-hidden className={classes.chevron} />
            {label}
          </UnstyledButton>
        ) : (
          <>
            <Anchor component={Link} to={toCustomer(only)} fw={500} className="breaks">
              {only.name ?? only.identifier}
            </Anchor>{' '}
            <span className="muted">{only.plans.join(', ')}</span>
          </>
        )}
      </span>
      {children}
      {isOpen && (
        <ul className={`list ${classes.names}`} aria-label={label}>
          {names.map((each) => (
            <li key={each.identifier}>
              <Anchor component={Link} to={toCustomer(each)} className="breaks">
                {each.name ?? each.identifier}
              </Anchor>
              {each.used !== null && <span className="muted small"> {usageWords(each.used, each.held)}</span>}
            </li>
          ))}
          {customers > names.length && (
            <li className="muted">{`and ${formatNumber(customers - names.length)} more`}</li>
          )}
        </ul>
      )}
    </>
  );
}

interface ValueProps {
  readonly value: PropertyValue | null;
  /** Whether these customers have it by balances: of a meter, they have nothing else. */
  readonly isOpened: boolean | undefined;
}

function Value({ value, isOpened = false }: ValueProps) {
  if (value === null) return <span className="faint">none</span>;
  if (!isOpened) return <PropertyValueView value={value} />;
  return (
    <span className="inline-row gap-6">
      {typeof value === 'boolean' && <PropertyValueView value={value} />}
      <span className="muted small">by balance</span>
    </span>
  );
}
