/** The side sheet of one customer in the list: who it is, its plans, and its values and usage in one environment. */
import { ActionIcon, Button, Flex, Group, Select, Skeleton } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { KnownCustomer } from '#contracts/console/customer-list';
import type { Environment } from '#contracts/console/environments';
import { paths } from '#web/paths.ts';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { SheetSection } from '#web/ui/dialogs/sheet-section.tsx';
import { SideSheet } from '#web/ui/dialogs/side-sheet.tsx';
import { Age } from '#web/ui/labels/age.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { customerTitle, shownText } from '#web/values/customer-title.ts';
import { shownIdentifier } from '#web/values/shown-identifier.ts';
import { chooseEnvironment } from '../choose-environment.ts';
import { costNotes } from '../costs/cost-notes.ts';
import { EntitlementValue } from '../entitlements/entitlement-value.tsx';
import { entitlementsQuery } from '../queries.ts';
import { whyOf } from '../why-of.ts';
import classes from './customer-sheet.module.css';

export interface CustomerSheetProps {
  readonly orgId: string;
  readonly identifier: string;
  /** The customer, if the list has it. */
  readonly known: KnownCustomer | undefined;
  readonly environments: UseQueryResult<readonly Environment[]>;
  readonly planName: (planId: string) => string;
  readonly onClose: () => void;
  readonly onMove: (step: 1 | -1) => void;
}

export function CustomerSheet(props: CustomerSheetProps) {
  const { orgId, identifier, known, onClose, onMove } = props;
  const { data: environments, error, refetch } = props.environments;
  const [chosenId, setChosenId] = useState<string | null>(null);
  const environment = chooseEnvironment(
    environments ?? [],
    chosenId ?? known?.nearest?.environmentId ?? null,
    known?.stripe?.testMode === true,
  );
  const title = known === undefined ? shownIdentifier(identifier) : customerTitle(known);
  const email = shownText(known?.email ?? null);
  return (
    <SideSheet
      label="Customer"
      title={title}
      onClose={onClose}
      actions={
        <>
          <ActionIcon aria-label="Previous customer (k)" onClick={() => onMove(-1)}>
            <IconChevronUp size={17} aria-hidden />
          </ActionIcon>
          <ActionIcon aria-label="Next customer (j)" onClick={() => onMove(1)}>
            <IconChevronDown size={17} aria-hidden />
          </ActionIcon>
        </>
      }
    >
      <dl className={classes.facts}>
        <dt>Customer ID</dt>
        <dd>
          <CopyId value={identifier} label="customer ID" />
        </dd>
        {email !== null && email !== title && (
          <>
            <dt>Email</dt>
            <dd>{email}</dd>
          </>
        )}
        {known?.stripe && (
          <>
            <dt>From</dt>
            <dd>
              {known.stripe.integrationName}
              {known.stripe.testMode && ' (test mode)'}
            </dd>
          </>
        )}
        {known && (
          <>
            <dt>Last seen</dt>
            <dd>{known.lastSeenAt === null ? 'Never' : <Age at={known.lastSeenAt} />}</dd>
          </>
        )}
      </dl>
      <Group gap={8} wrap="nowrap">
        <Button component={Link} to={paths.customer(orgId, identifier, environment?.id)}>
          Open customer
        </Button>
        {environments !== undefined && environments.length > 1 && (
          <Select
            aria-label="Environment"
            data={environments.map(({ id, name }) => ({ value: id, label: name }))}
            value={environment?.id ?? null}
            allowDeselect={false}
            onChange={setChosenId}
            w={180}
          />
        )}
      </Group>
      {environment !== undefined ? (
        <Entitled orgId={orgId} identifier={identifier} environmentId={environment.id} />
      ) : error === null ? (
        <Skeleton height={220} radius={8} />
      ) : (
        <ErrorState title="The environments could not be loaded" error={error} onRetry={refetch} />
      )}
    </SideSheet>
  );
}

interface EntitledProps {
  readonly orgId: string;
  readonly identifier: string;
  readonly environmentId: string;
}

function Entitled({ orgId, identifier, environmentId }: EntitledProps) {
  const { data, error, refetch } = useQuery(entitlementsQuery(orgId, identifier, environmentId));
  if (data === undefined) {
    return error === null ? (
      <Skeleton height={220} radius={8} />
    ) : (
      <ErrorState title="The entitlements could not be loaded" error={error} onRetry={refetch} />
    );
  }
  if (data.version === null) return <p className="flush muted">Nothing is deployed to this environment.</p>;
  const notes = costNotes(data.entitlements);
  return (
    <>
      <SheetSection title="Plans">
        {data.plans.length === 0 ? (
          <p className="flush small muted">
            No plan. Properties have their default values unless overridden.
          </p>
        ) : (
          <Flex component="ul" direction="column" gap={6} className="list">
            {data.plans.map((plan) => (
              <li key={plan.planId} className="small">
                <span className="medium">{plan.name}</span> <span className="muted">{whyOf(plan)}</span>
              </li>
            ))}
          </Flex>
        )}
      </SheetSection>
      <SheetSection title="Entitlements">
        <ul className="list card divided small">
          {data.entitlements.map((entitlement) => (
            <li key={entitlement.propertyId} className={classes.value}>
              <span className="shrink breaks">
                <span className="medium">{entitlement.featureName}</span>{' '}
                <code className="muted tiny">{entitlement.property}</code>
              </span>
              <span className="shrink">
                <EntitlementValue entitlement={entitlement} note={notes.get(entitlement.propertyId)} />
              </span>
            </li>
          ))}
        </ul>
      </SheetSection>
    </>
  );
}
