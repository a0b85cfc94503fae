/** The organisation's webhooks. A row links to its webhook. */
import type { Webhook } from '#contracts/console/webhooks';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { Age } from '#web/ui/labels/age.tsx';
import { StatusLabel } from '#web/ui/labels/status-label.tsx';
import { ListTable } from '#web/ui/lists/list-table.tsx';
import {
  DISABLED_REASONS,
  environmentsLabel,
  type NamedEnvironment,
  typesLabel,
  webhookState,
} from './webhook-labels.ts';

export interface WebhooksTableProps {
  /** Undefined while loading. */
  readonly webhooks: readonly Webhook[] | undefined;
  /** Undefined while loading. */
  readonly environments: readonly NamedEnvironment[] | undefined;
}

export function WebhooksTable({ webhooks, environments }: WebhooksTableProps) {
  const orgId = useOrgId();
  return (
    <ListTable
      label="webhooks"
      rows={webhooks}
      rowKey={({ id }) => id}
      rowTo={({ id }) => paths.webhook(orgId, id)}
      name={{
        header: 'Address',
        cell: ({ url }) => url,
        detail: ({ description }) => description,
      }}
      columns={[
        { header: 'Events', cell: ({ types }) => typesLabel(types), width: 180, isSecondary: true },
        {
          header: 'Environments',
          cell: ({ environmentIds }) => environmentsLabel(environmentIds, environments),
          width: 190,
          isSecondary: true,
        },
        { header: 'State', cell: (webhook) => <State webhook={webhook} />, width: 190 },
      ]}
    />
  );
}

/** With since when, or why, below. */
function State({ webhook }: { readonly webhook: Webhook }) {
  const { failingSince, disabledBecause } = webhook;
  const { tone, label } = webhookState(webhook);
  return (
    <span>
      <StatusLabel tone={tone}>{label}</StatusLabel>
      {disabledBecause !== null ? (
        disabledBecause !== 'member' && (
          <span className="one-line muted small">{DISABLED_REASONS[disabledBecause]}</span>
        )
      ) : failingSince !== null ? (
        <span className="one-line muted small">
          Since <Age at={failingSince} />
        </span>
      ) : null}
    </span>
  );
}
