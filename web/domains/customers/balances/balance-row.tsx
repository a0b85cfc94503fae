/** One line of a meter's balances: the plans' quota, or a balance with its terms, figures and actions. */
import { Flex, Menu } from '@mantine/core';
import {
  IconArrowBackUp,
  IconListSearch,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { CustomerBalance } from '#contracts/console/customer-balances';
import type { CustomerEntitlements, Entitlement } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { formatNumber, sentence } from '#web/ui/format.ts';
import { Age, End } from '#web/ui/labels/age.tsx';
import { StatusLabel } from '#web/ui/labels/status-label.tsx';
import { RowMenu } from '#web/ui/lists/row-menu.tsx';
import type { BalanceSource } from './balance-groups.ts';
import { balanceName, originWords, rolledWords, STATES, usedWords } from './balance-words.ts';
import classes from './balances.module.css';

export type BalanceAction = 'change' | 'freeze' | 'take-back';

export interface QuotaRowProps {
  readonly source: BalanceSource;
  readonly entitlement: Entitlement | undefined;
  readonly plans: CustomerEntitlements['plans'];
}

export function QuotaRow({ source: { line, isNext }, entitlement, plans }: QuotaRowProps) {
  const decidedBy = entitlement?.decidedBy;
  const from = Array.isArray(decidedBy)
    ? decidedBy.map((slug) => plans.find((plan) => plan.slug === slug)?.name ?? slug).join(', ')
    : decidedBy === 'default'
      ? 'Default'
      : 'Override';
  return (
    <li className={classes.row}>
      <span className={classes.swatch} />
      <span className="shrink">
        <Head name={<span className="medium">Quota</span>} isNext={isNext} />
        <span className={classes.detail}>
          {from}
          {line.endsAt !== null && (
            <>
              {' · resets '}
              <Age at={line.endsAt} />
            </>
          )}
        </span>
      </span>
      <Figures left={line.remaining} words={usedWords({ ...line, takenBack: 0 })} />
      <span />
    </li>
  );
}

export interface RolledRowProps {
  readonly source: BalanceSource;
  readonly hue: number | undefined;
}

/** What an earlier period left: computed, so that nothing can be done with it. */
export function RolledRow({ source: { line, isNext }, hue }: RolledRowProps) {
  const { rolledFrom, endsAt, remaining } = line;
  return (
    <li className={classes.row}>
      <span className={classes.swatch} data-hue={hue} />
      <span className="shrink">
        <Head name={<span className="medium">{rolledWords(rolledFrom)}</span>} isNext={isNext} />
        <span className={classes.detail}>{endsAt === null ? 'no end' : <End at={endsAt} />}</span>
      </span>
      <Figures left={remaining} words={usedWords({ ...line, takenBack: 0 })} />
      <span />
    </li>
  );
}

export interface BalanceRowProps {
  /** Null: it was given a moment ago, and the list does not have it yet. */
  readonly balance: CustomerBalance | null;
  /** Undefined: it cannot be drawn from now. */
  readonly source?: BalanceSource;
  readonly hue?: number;
  /** The customer of the page: a balance can be stored under another name of it. */
  readonly identifier: string;
  readonly environments: readonly Environment[];
  readonly renderMember: (userId: string) => ReactNode;
  readonly onAct: (balance: CustomerBalance, action: BalanceAction) => void;
}

export function BalanceRow(props: BalanceRowProps) {
  const orgId = useOrgId();
  const { balance, source, hue, identifier, onAct } = props;
  const name = balance === null ? (source?.line.id ?? '') : balanceName(balance);
  const isNamed = balance === null || balance.name !== null;
  const state = balance === null ? null : STATES[balance.state];
  const line = source?.line;
  const figures =
    line === undefined
      ? { left: balance?.remaining ?? null, words: balance === null ? '' : usedWords(balance) }
      : {
          left: line.remaining,
          words: usedWords({
            ...(balance ?? { takenBack: 0, ...line }),
            ...{ used: line.used, held: line.held },
          }),
        };
  return (
    <li className={classes.row}>
      <span className={classes.swatch} data-hue={hue} data-idle={source === undefined || undefined} />
      <span className="shrink">
        <Head
          name={
            isNamed ? (
              <code className="mono tiny medium breaks">{name}</code>
            ) : (
              <span className="medium">{name}</span>
            )
          }
          isNext={source?.isNext === true}
        >
          {state !== null && <StatusLabel tone={state.tone}>{state.label}</StatusLabel>}
        </Head>
        {balance !== null && <Details {...props} balance={balance} />}
      </span>
      <Figures {...figures} />
      {balance === null ? (
        <span />
      ) : (
        <RowMenu name={name}>
          <Menu.Item
            leftSection={<IconListSearch size={15} aria-hidden />}
            component={Link}
            to={paths.events(orgId, { subject: identifier, drew: `balance:${balance.name ?? balance.id}` })}
          >
            Events
          </Menu.Item>
          <Menu.Item
            leftSection={<IconPencil size={15} aria-hidden />}
            onClick={() => onAct(balance, 'change')}
          >
            Change…
          </Menu.Item>
          <Menu.Item
            leftSection={
              balance.isFrozen ? (
                <IconPlayerPlay size={15} aria-hidden />
              ) : (
                <IconPlayerPause size={15} aria-hidden />
              )
            }
            onClick={() => onAct(balance, 'freeze')}
          >
            {balance.isFrozen ? 'Unfreeze…' : 'Freeze…'}
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<IconArrowBackUp size={15} aria-hidden />}
            disabled={balance.remaining === 0}
            onClick={() => onAct(balance, 'take-back')}
          >
            Take back…
          </Menu.Item>
        </RowMenu>
      )}
    </li>
  );
}

function Head(props: { readonly name: ReactNode; readonly isNext: boolean; readonly children?: ReactNode }) {
  return (
    <Flex component="span" wrap="wrap" align="center" gap="2px 8px">
      {props.name}
      {props.isNext && <span className={classes.next}>Next to be used</span>}
      {props.children}
    </Flex>
  );
}

/** @param left null: usage could not be read */
function Figures({ left, words }: { readonly left: number | null; readonly words: string }) {
  return (
    <span className={classes.figures}>
      <span className="medium">{left === null ? 'Usage unknown' : `${formatNumber(left)} left`}</span>
      <span className="muted tiny">{words}</span>
    </span>
  );
}

/** 50 is what balances have unless somebody says otherwise. */
const USUAL_PRIORITY = 50;

function Details(props: BalanceRowProps & { readonly balance: CustomerBalance }) {
  const { balance, identifier, environments, renderMember } = props;
  const { state, startsAt, endsAt, environmentId, createdByUserId, createdByKey } = balance;
  const by =
    createdByKey !== null
      ? sentence`key ${createdByKey.name}`
      : createdByUserId !== null
        ? renderMember(createdByUserId)
        : balance.source.kind === 'top-up'
          ? 'Stripe'
          : null;
  const isElsewhere = environmentId !== null && !environments.some(({ id }) => id === environmentId);
  const parts: Readonly<Record<string, ReactNode>> = {
    member: balance.entityId !== null && `only for ${balance.entityId}`,
    origin: originWords(balance),
    start: state === 'scheduled' && (
      <>
        starts <Age at={startsAt} />
      </>
    ),
    end: endsAt === null ? 'no end' : <End at={endsAt} />,
    priority: balance.priority !== USUAL_PRIORITY && `priority ${balance.priority}`,
    plan: balance.needsPlan && state !== 'needs-plan' && 'needs a plan',
    overage: balance.paysOverage && 'pays overage',
    environment: environmentId === null ? 'all environments' : isElsewhere && 'a deleted environment',
    via: balance.identifier !== identifier && `via ${balance.identifier}`,
    reason: balance.reason,
    by: (
      <>
        {by !== null && <>{by}, </>}
        <Age at={balance.createdAt} />
      </>
    ),
  };
  return (
    <span className={classes.detail}>
      {Object.entries(parts)
        .filter(([, part]) => part !== false && part !== null && part !== '')
        .map(([key, part], place) => (
          <span key={key}>
            {place > 0 && ' · '}
            {part}
          </span>
        ))}
    </span>
  );
}
