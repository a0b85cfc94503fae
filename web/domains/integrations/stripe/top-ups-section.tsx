/** What one-time prices of the account give their payers. */
import { Button, Flex, Menu } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Feature } from '#contracts/console/features';
import type { StripeIntegration } from '#contracts/console/stripe';
import type { PaymentsRead, TopUp } from '#contracts/console/top-ups';
import { countsResources } from '#engine/values/counts-resources';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { useLastValue } from '#web/ui/dialogs/use-last-value.ts';
import { formatNumber, sentence } from '#web/ui/format.ts';
import { Age } from '#web/ui/labels/age.tsx';
import { RemoveItem, RowMenu } from '#web/ui/lists/row-menu.tsx';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/loading/optional-part.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import type { MeterChoice } from '#web/values/balance-fields.tsx';
import { topUpsQuery, useRemoveTopUp } from './top-ups.ts';

const topUpDialog = codeApart(async () => (await import('./top-up-dialog.tsx')).TopUpDialog);

/** What the dialog is about: a price that gives something, or a new one. */
type Chosen = { readonly topUp: TopUp | null } | null;

export interface TopUpsSectionProps {
  readonly integration: StripeIntegration;
  /** Of the workspace; undefined while they load. */
  readonly features: readonly Feature[] | undefined;
}

export function TopUpsSection({ integration, features }: TopUpsSectionProps) {
  const orgId = useOrgId();
  const { data } = useQuery(topUpsQuery(orgId, integration.id));
  const [chosen, setChosen] = useState<Chosen>(null);
  const [removed, setRemoved] = useState<TopUp | null>(null);
  const meters = metersOf(features);
  return (
    <Section
      isSplit
      title="Top-ups"
      description="One-time prices that add to a meter, on top of the customer’s plans."
    >
      <Flex direction="column" gap={12} maw={480}>
        <Problems read={data?.read ?? null} />
        {data !== undefined && data.topUps.length > 0 && (
          <Flex component="ul" direction="column" gap={8} className="list" aria-label="Top-ups">
            {data.topUps.map((topUp) => (
              <Row
                key={topUp.id}
                topUp={topUp}
                meters={meters}
                onEdit={() => setChosen({ topUp })}
                onRemove={() => setRemoved(topUp)}
              />
            ))}
          </Flex>
        )}
        <div>
          <Button variant="default" disabled={meters.length === 0} onClick={() => setChosen({ topUp: null })}>
            Link a price
          </Button>
        </div>
        {features !== undefined && meters.length === 0 && (
          <p className="flush muted small">No feature has a meter yet.</p>
        )}
      </Flex>
      <OptionalPart
        code={topUpDialog}
        isNeeded={chosen !== null}
        props={{ integration, meters, chosen, onClose: () => setChosen(null) }}
        onFailure={() => setChosen(null)}
      />
      <RemoveTopUp integrationId={integration.id} topUp={removed} onClose={() => setRemoved(null)} />
    </Section>
  );
}

interface RowProps {
  readonly topUp: TopUp;
  readonly meters: readonly MeterChoice[];
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function Row({ topUp, meters, onEdit, onRemove }: RowProps) {
  const { priceId, priceName, propertyId, amount, category, lastsMonths, paysOverage } = topUp;
  const meter = meters.find((each) => each.propertyId === propertyId)?.name ?? 'a deleted meter';
  const lasts =
    lastsMonths === null ? 'without an end' : `for ${lastsMonths} ${lastsMonths === 1 ? 'month' : 'months'}`;
  return (
    <Flex component="li" align="center" gap={12} className="card" style={{ padding: '8px 8px 8px 16px' }}>
      <Flex component="span" direction="column" gap={2} className="shrink breaks" style={{ flexGrow: 1 }}>
        <span>
          <strong className="figures">{formatNumber(amount)}</strong> <code className="mono">{meter}</code>{' '}
          for {priceName}
        </span>
        <span className="muted tiny">
          {category}, {lasts}
          {paysOverage && ', pays overage'} · <code className="mono">{priceId}</code>
        </span>
      </Flex>
      <RowMenu name={priceName}>
        <Menu.Item leftSection={<IconPencil size={15} aria-hidden />} onClick={onEdit}>
          Edit
        </Menu.Item>
        <RemoveItem onClick={onRemove}>Unlink</RemoveItem>
      </RowMenu>
    </Flex>
  );
}

/** Payments that could not be read, or that gave nothing. */
function Problems({ read }: { readonly read: PaymentsRead | null }) {
  if (read === null) return null;
  const unlinked = Object.entries(read.unlinked).toSorted(([, one], [, other]) => other - one);
  return (
    <>
      {read.problem !== null && (
        <Notice role="note" title="Payments can’t be read">
          {read.problem} What is paid gives nothing until the key may.
        </Notice>
      )}
      {unlinked.length > 0 && (
        <Notice role="note" title="Paid, but nothing is linked">
          {unlinked.map(([priceId, at], index) => (
            <span key={priceId}>
              {index > 0 && ', '}
              <code className="mono breaks">{priceId}</code> <Age at={at} />
            </span>
          ))}
          . These payments gave nothing.
        </Notice>
      )}
    </>
  );
}

interface RemoveTopUpProps {
  readonly integrationId: string;
  /** Null while closed. */
  readonly topUp: TopUp | null;
  readonly onClose: () => void;
}

function RemoveTopUp({ integrationId, topUp, onClose }: RemoveTopUpProps) {
  const orgId = useOrgId();
  const remove = useRemoveTopUp(orgId, integrationId);
  const shown = useLastValue(topUp);
  return (
    <ConfirmDialog
      isOpen={topUp !== null}
      onClose={onClose}
      title={sentence`Unlink ${shown?.priceName ?? ''}?`}
      confirmLabel="Unlink price"
      isBusy={remove.isPending}
      onConfirm={() => {
        if (topUp === null) return;
        remove.mutate(topUp.priceId, {
          onSuccess: () => toast.success('Price unlinked', { description: topUp.priceName }),
          onSettled: onClose,
        });
      }}
    >
      Payments from now on give nothing. What it gave stays, and refunds of it still count.
    </ConfirmDialog>
  );
}

/** The meters that an amount can be of. */
function metersOf(features: readonly Feature[] | undefined): readonly MeterChoice[] {
  return (features ?? []).flatMap(({ slug, properties }) =>
    properties
      .filter(({ type, value }) => type === 'meterable' && !countsResources(value))
      .map(({ id, propertyKey }) => ({ propertyId: id, name: `${slug}.${propertyKey}` })),
  );
}
