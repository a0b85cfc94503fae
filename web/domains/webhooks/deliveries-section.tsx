/** The log of what was sent to a webhook in the last 30 days, newest first. A click on an event opens it. */
import { Button, SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  DELIVERIES_KEPT_DAYS,
  type DeliveryPage,
  type DeliveryState,
  MAX_RESENT,
  type Webhook,
} from '#contracts/console/webhooks';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { ActionButton } from '#web/ui/dialogs/action-button.tsx';
import { counted } from '#web/ui/format.ts';
import { usePages } from '#web/ui/lists/use-pages.ts';
import { Section } from '#web/ui/page/section.tsx';
import { useAddressParams } from '#web/ui/page/use-address-params.ts';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { DeliveryRow } from './delivery-row.tsx';
import { useResend, useResendFailed } from './mutations.ts';
import { deliveriesQuery } from './queries.ts';
import { STATE_LABELS } from './webhook-labels.ts';

const STATES = Object.keys(STATE_LABELS) as DeliveryState[];

export interface DeliveriesSectionProps {
  readonly webhook: Webhook;
}

export function DeliveriesSection({ webhook }: DeliveriesSectionProps) {
  const orgId = useOrgId();
  const { id: webhookId, isEnabled } = webhook;
  const [params, changeParams] = useAddressParams();
  const state = STATES.find((known) => known === params.get('state'));
  const pages = usePages(state ?? '');
  const { data, error, refetch, isPlaceholderData } = useQuery(
    deliveriesQuery(orgId, { webhookId, state, before: pages.cursor }),
  );
  const resendFailed = useResendFailed(orgId, webhookId);
  const next = data?.next ?? null;
  return (
    <Section
      title="Deliveries"
      description={`What was sent in the last ${DELIVERIES_KEPT_DAYS} days.`}
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label="Deliveries shown"
            value={state ?? ''}
            onChange={(value) => changeParams({ state: value || null })}
            data={[
              { value: '', label: 'All' },
              ...STATES.map((value) => ({ value, label: STATE_LABELS[value] })),
            ]}
          />
          <ActionButton
            variant="default"
            disabled={!isEnabled}
            loading={resendFailed.isPending}
            onClick={() =>
              resendFailed.mutate(undefined, {
                onSuccess: ({ resent }) =>
                  resent === 0
                    ? toast.success('No failed events')
                    : toast.success(`${counted(resent, 'event')} will be sent again`, {
                        ...(resent === MAX_RESENT && { description: 'Repeat it for the rest.' }),
                      }),
              })
            }
          >
            Resend failed
          </ActionButton>
        </>
      }
      footer={
        (pages.hasPrevious || next !== null) && (
          <>
            <Button variant="default" disabled={!pages.hasPrevious} onClick={pages.previous}>
              Newer
            </Button>
            <Button
              variant="default"
              disabled={next === null || isPlaceholderData}
              onClick={() => next !== null && pages.next(next, data?.deliveries.length ?? 0)}
            >
              Older
            </Button>
          </>
        )
      }
      isFlush
    >
      {data !== undefined ? (
        <Rows webhook={webhook} page={data} isStale={isPlaceholderData} emptyNote={emptyNote(state)} />
      ) : error !== null ? (
        <ErrorState title="The deliveries could not be loaded" error={error} onRetry={refetch} />
      ) : (
        <Stack gap={16} p={20} role="status" aria-label="Loading">
          {['one', 'two', 'three'].map((row) => (
            <Skeleton key={row} height={20} />
          ))}
        </Stack>
      )}
    </Section>
  );
}

interface RowsProps extends DeliveriesSectionProps {
  readonly page: DeliveryPage;
  /** The rows are those of another page or state. */
  readonly isStale: boolean;
  readonly emptyNote: string;
}

function Rows({ webhook, page, isStale, emptyNote: note }: RowsProps) {
  const [openId, setOpenId] = useState<string | null>(null);
  const resend = useResend(useOrgId(), webhook.id);
  if (page.deliveries.length === 0) return <p className="note">{note}</p>;
  return (
    <ul className="list divided" aria-label="Deliveries" aria-busy={isStale}>
      {page.deliveries.map((delivery) => {
        const { eventId } = delivery;
        return (
          <DeliveryRow
            key={eventId}
            delivery={delivery}
            isOpen={eventId === openId}
            onToggle={() => setOpenId(eventId === openId ? null : eventId)}
            onResend={webhook.isEnabled ? () => resend.mutate(eventId) : undefined}
            isResending={resend.isPending && resend.variables === eventId}
          />
        );
      })}
    </ul>
  );
}

function emptyNote(state: DeliveryState | undefined): string {
  if (state === undefined) return 'Nothing sent yet. Deploy a version, or send a test event.';
  return state === 'failed'
    ? 'No failed deliveries.'
    : `No deliveries are ${STATE_LABELS[state].toLowerCase()}.`;
}
