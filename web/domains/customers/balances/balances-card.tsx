/** A customer's balances beside the quota of the plans, by meter: how much of each is used, and what is drawn from next. */
import { Button, Flex, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { CustomerBalance } from '#contracts/console/customer-balances';
import type { CustomerEntitlements } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { Feature } from '#contracts/console/features';
import { useOrgId } from '#web/session/organisation.tsx';
import { formatNumber, sentence } from '#web/ui/format.ts';
import { ChoiceBar } from '#web/ui/inputs/choice-bar.tsx';
import { MeterMark } from '#web/ui/labels/meter.tsx';
import { useFirstItems } from '#web/ui/lists/use-first-items.tsx';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/loading/optional-part.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { useAddressParams } from '#web/ui/page/use-address-params.ts';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import type { MeterChoice } from '#web/values/balance-fields.tsx';
import { HeldFigure } from '#web/values/held-figure.tsx';
import { levelOf } from '#web/values/meter-level.ts';
import { CostLine } from '../costs/cost-line.tsx';
import { type CostNote, costNotes } from '../costs/cost-notes.ts';
import { AddBalance } from './add-balance.tsx';
import { BalanceBar, hueOf } from './balance-bar.tsx';
import { balancesQuery } from './balance-calls.ts';
import { type BalanceGroup, balanceGroups, isClosed, isRolled } from './balance-groups.ts';
import { type BalanceAction, BalanceRow, QuotaRow, RolledRow } from './balance-row.tsx';
import { overageWords } from './balance-words.ts';
import classes from './balances.module.css';

const balanceDialogs = codeApart(async () => (await import('./balance-dialogs.tsx')).BalanceDialogs);

const FILTERS = [
  { id: 'open', label: 'Open' },
  { id: 'all', label: 'All' },
] as const;

export interface BalancesCardProps {
  /** The customer of the page. */
  readonly identifier: string;
  readonly entitled: CustomerEntitlements;
  readonly features: readonly Feature[];
  readonly environments: readonly Environment[];
  readonly renderMember: (userId: string) => ReactNode;
}

/** What is done with a balance. */
interface Chosen {
  readonly balance: CustomerBalance;
  readonly action: BalanceAction;
}

export function BalancesCard(props: BalancesCardProps) {
  const orgId = useOrgId();
  const { identifier, entitled, environments } = props;
  const { environmentId } = entitled;
  const [params, changeParams] = useAddressParams();
  const isAll = params.get('balances') === 'all';
  const { data, error, refetch } = useQuery(balancesQuery(orgId, identifier, environmentId, isAll));
  const [added, setAdded] = useState<MeterChoice | null>(null);
  const [acted, setActed] = useState<Chosen | null>(null);
  if (data === undefined && error === null) return null;
  const groups = balanceGroups(entitled.entitlements, data?.balances ?? []);
  const notes = costNotes(entitled.entitlements);
  if (groups.length === 0 && error === null && !isAll) return null;
  const current = data?.balances.find(({ id }) => id === acted?.balance.id);
  const chosen = acted === null ? null : { ...acted, balance: current ?? acted.balance };
  return (
    <Section
      title="Balances"
      description="Bought, given or rolled over, beside the plans’ quota. Used in this order."
      isFlush
      actions={
        <ChoiceBar
          label="Filter balances"
          choices={FILTERS}
          chosen={isAll ? 'all' : 'open'}
          onChoose={(id) => changeParams({ balances: id === 'all' ? id : null })}
        />
      }
    >
      {data === undefined ? (
        <ErrorState title="The balances could not be loaded" error={error} onRetry={refetch} />
      ) : groups.length === 0 ? (
        <p className="note">No balances in this environment.</p>
      ) : (
        groups.map((group) => (
          <Group
            key={group.propertyId}
            {...props}
            group={group}
            note={notes.get(group.propertyId)}
            isAll={isAll}
            onAdd={setAdded}
            onAct={(balance, action) => setActed({ balance, action })}
          />
        ))
      )}
      <AddBalance
        identifier={identifier}
        environmentId={environmentId}
        environments={environments}
        meter={added}
        onClose={() => setAdded(null)}
      />
      <OptionalPart
        code={balanceDialogs}
        isNeeded={chosen !== null}
        props={{ orgId, environmentId, chosen, onClose: () => setActed(null) }}
        onFailure={() => setActed(null)}
      />
    </Section>
  );
}

interface GroupProps extends BalancesCardProps {
  readonly group: BalanceGroup;
  readonly note: CostNote | undefined;
  /** With those that are used up or have ended. */
  readonly isAll: boolean;
  readonly onAdd: (meter: MeterChoice) => void;
  readonly onAct: (balance: CustomerBalance, action: BalanceAction) => void;
}

function Group(props: GroupProps) {
  const { group, note, identifier, entitled, features, environments, isAll, renderMember, onAdd, onAct } =
    props;
  const { propertyId, entitlement, meter, sources, others } = group;
  const meterName = entitlement ?? findProperty(features, propertyId);
  const rows = [
    ...sources
      .map((source, place) => ({ source, hue: hueOf(source, place, sources) }))
      .filter(
        ({ source: { line } }) =>
          isAll || line.kind === 'quota' || line.remaining > 0 || line.held !== undefined,
      ),
    ...others.filter((each) => isAll || !isClosed(each)).map((balance) => ({ balance })),
  ];
  const { shown, more } = useFirstItems(rows);
  const hidden = sources.length + others.filter((each) => !isClosed(each)).length - rows.length;
  const label = meterName === undefined ? propertyId : `${meterName.featureName} ${meterName.property}`;
  const path = entitlement && `${entitlement.feature}.${entitlement.property}`;
  return (
    <div className={classes.group}>
      <Stack className={classes.head} gap={10}>
        <Flex align="center" justify="space-between" gap="4px 12px" wrap="wrap">
          <span className="small breaks">
            <strong className="medium">{meterName?.featureName ?? 'A deleted meter'}</strong>{' '}
            <code className="muted tiny mono">{meterName?.property ?? propertyId}</code>
          </span>
          {meterName !== undefined && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              aria-label={sentence`Add balance of ${label}`}
              onClick={() => onAdd({ propertyId, name: path ?? label })}
            >
              Add balance
            </Button>
          )}
        </Flex>
        {meter === null ? (
          <p className="flush small muted">{undrawnWords(group)}</p>
        ) : (
          <>
            <BalanceBar
              label={label}
              sources={sources}
              limit={meter.limit}
              used={meter.used}
              held={meter.held ?? 0}
              overage={meter.overage ?? 0}
            />
            <Flex wrap="wrap" align="baseline" gap="2px 10px" className="figures small">
              <span>
                <strong>{formatNumber(meter.used)}</strong> of {formatNumber(meter.limit)} used
              </span>
              <HeldFigure held={meter.held ?? 0} until={entitlement?.heldUntil} />
              <span className="muted">{formatNumber(meter.remaining)} left</span>
              {!isAll && hidden > 0 && (
                <span className="muted">{formatNumber(hidden)} used up, not listed</span>
              )}
              {meter.overage !== undefined && (
                <span className="muted">{overageWords(meter.overage, meter.overageLimit)}</span>
              )}
              <MeterMark level={levelOf(meter)} />
            </Flex>
          </>
        )}
        <CostLine note={note} />
      </Stack>
      <ul className={classes.rows} aria-label={sentence`Balances of ${label}`}>
        {shown.map((row) =>
          'balance' in row ? (
            <BalanceRow
              key={row.balance.id}
              {...{ identifier, environments, renderMember, onAct }}
              balance={row.balance}
            />
          ) : row.source.line.kind === 'quota' ? (
            <QuotaRow key="quota" source={row.source} entitlement={entitlement} plans={entitled.plans} />
          ) : isRolled(row.source.line) ? (
            <RolledRow key={row.source.line.id} source={row.source} hue={row.hue} />
          ) : (
            <BalanceRow
              key={row.source.line.id}
              {...{ identifier, environments, renderMember, onAct }}
              balance={row.source.balance}
              source={row.source}
              hue={row.hue}
            />
          ),
        )}
      </ul>
      {more}
    </div>
  );
}

/** Why nothing is drawn from the balances of a meter. */
function undrawnWords({ entitlement }: BalanceGroup): string {
  if (entitlement === undefined) return 'The deployed version does not have this meter.';
  return entitlement.meter?.state === 'on'
    ? 'Unlimited for this customer, so nothing is taken from balances.'
    : 'Off for this customer. Balances don’t turn it on.';
}

/** A property of the workspace that the deployed version lacks. */
function findProperty(features: readonly Feature[], propertyId: string) {
  for (const { name, properties } of features) {
    const found = properties.find(({ id }) => id === propertyId);
    if (found !== undefined) return { featureName: name, property: found.propertyKey };
  }
  return undefined;
}
