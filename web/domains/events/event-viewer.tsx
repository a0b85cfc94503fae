/** The side panel of one event: a header, and the tabs of its type. The list behind it stays usable. */
import { ActionIcon, Box, Skeleton, Tabs } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconLink, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Event, EventType } from '#contracts/console/events';
import { isNotFound } from '#web/api/api-error.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { useCopied } from '#web/ui/copy/use-copied.ts';
import sheet from '#web/ui/dialogs/side-sheet.module.css';
import { formatInstant } from '#web/ui/format.ts';
import { usePageKeys } from '#web/ui/keyboard/use-page-keys.ts';
import { Hint } from '#web/ui/labels/hint.tsx';
import { InlinePart } from '#web/ui/loading/inline-part.tsx';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { typeLabel } from '#web/values/event-labels.ts';
import { OutcomeTile } from '#web/values/outcome-tile.tsx';
import { EventDetails } from './event-details.tsx';
import type { EventNames } from './event-names.ts';
import { ExecutionsPanel } from './executions-panel.tsx';
import { eventQuery } from './queries.ts';
import classes from './viewer.module.css';

export interface EventViewerProps {
  readonly eventId: string;
  /** The event, if the list has it. */
  readonly known?: Event | undefined;
  readonly names: EventNames;
  readonly onClose: () => void;
  /** To the next or previous event of the list. Undefined if the event is not in a list. */
  readonly onMove?: ((step: 1 | -1) => void) | undefined;
  /** Where the URL has the tab. Otherwise the viewer remembers it. */
  readonly address?: {
    readonly tab: string | null;
    readonly showTab: (tab: string | undefined) => void;
  };
}

const requestPanel = codeApart(async () => (await import('./request-panel.tsx')).RequestPanel);

const TABS = { details: 'Details', workflows: 'Workflows', request: 'Request & Response' } as const;
type Tab = keyof typeof TABS;

const TABS_OF_TYPE: Record<EventType, readonly Tab[]> = {
  ac: ['details', 'workflows', 'request'],
  cu: ['details', 'request'],
  se: ['details'],
};

export function EventViewer(props: EventViewerProps) {
  const orgId = useOrgId();
  const { eventId, known, names, onClose, onMove, address } = props;
  const { data: event, error, refetch } = useQuery(eventQuery(orgId, eventId, known));
  const [ownTab, setOwnTab] = useState<string | null>(null);
  const panel = useRef<HTMLElement>(null);
  useOwnFocus(panel);
  usePageKeys({ Escape: onClose });
  const tabs = event === undefined ? [] : TABS_OF_TYPE[event.type];
  const chosen = address === undefined ? ownTab : address.tab;
  const tab = tabs.find((each) => each === chosen) ?? 'details';
  const choose = (next: string | null) => {
    setOwnTab(next);
    address?.showTab(next === 'details' ? undefined : (next ?? undefined));
  };
  return (
    <aside ref={panel} className={`${sheet.sheet} ${classes.viewer}`} tabIndex={-1} aria-label="Event">
      <header className={sheet.head}>
        {event === undefined ? (
          <Skeleton height={20} width={180} />
        ) : (
          <>
            <OutcomeTile outcome={event.outcome} isDecision={event.type !== 'se'} />
            <Box component="h2" fz="0.9375rem" className="flush bold nowrap">
              {typeLabel(event)}
            </Box>
            <span className={`truncate muted small ${classes.time}`}>{formatInstant(event.time)}</span>
          </>
        )}
        <div className={classes.actions}>
          {onMove !== undefined && (
            <>
              <ActionIcon aria-label="Newer event (k)" onClick={() => onMove(-1)}>
                <IconChevronUp size={17} aria-hidden />
              </ActionIcon>
              <ActionIcon aria-label="Older event (j)" onClick={() => onMove(1)}>
                <IconChevronDown size={17} aria-hidden />
              </ActionIcon>
            </>
          )}
          <CopyLink
            path={paths.events(orgId, { event: eventId, tab: tab === 'details' ? undefined : tab })}
          />
          <ActionIcon aria-label="Close (Escape)" onClick={onClose}>
            <IconX size={17} aria-hidden />
          </ActionIcon>
        </div>
      </header>
      {event === undefined ? (
        <div className={sheet.body}>
          {error === null ? (
            <Skeleton height={240} />
          ) : isNotFound(error) ? (
            <p className="note">
              There is no event <CopyId value={eventId} label="event ID" /> in this organisation. Events are
              archived at the end of the retention period.
            </p>
          ) : (
            <ErrorState title="The event could not be loaded" error={error} onRetry={refetch} />
          )}
        </div>
      ) : (
        <Tabs value={tab} onChange={choose} mih={0} className="column fill" keepMounted={false}>
          {tabs.length > 1 && (
            <Tabs.List flex="none" px={12}>
              {tabs.map((each) => (
                <Tabs.Tab key={each} value={each}>
                  {TABS[each]}
                  {each === 'workflows' && event.workflowExecutions?.failed > 0 && (
                    <Box component="span" c="var(--denied)">
                      {' '}
                      {event.workflowExecutions.failed} failed
                    </Box>
                  )}
                </Tabs.Tab>
              ))}
            </Tabs.List>
          )}
          <Tabs.Panel value="details" className={sheet.body}>
            <EventDetails key={event.id} event={event} names={names} />
          </Tabs.Panel>
          {event.type === 'ac' && (
            <Tabs.Panel value="workflows" className={sheet.body}>
              <ExecutionsPanel key={event.id} event={event} />
            </Tabs.Panel>
          )}
          {event.type !== 'se' && (
            <Tabs.Panel value="request" className={sheet.body}>
              <InlinePart
                key={event.id}
                code={requestPanel}
                props={{ event }}
                loading={<Skeleton height={240} />}
              />
            </Tabs.Panel>
          )}
        </Tabs>
      )}
    </aside>
  );
}

/** Takes the focus, and returns it on closing unless it has moved elsewhere. */
function useOwnFocus(panel: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const own = panel.current;
    own?.focus({ preventScroll: true });
    return () => {
      if (own?.contains(document.activeElement) !== true) return;
      // A row of the live list may be gone.
      const target = opener?.isConnected ? opener : document.querySelector('main');
      if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    };
  }, [panel]);
}

function CopyLink({ path }: { path: string }) {
  const { isCopied, copy } = useCopied(`${window.location.origin}${path}`);
  return (
    <Hint label={isCopied ? 'Copied!' : 'Copy a link to this event'}>
      <ActionIcon aria-label={isCopied ? 'Copied!' : 'Copy link'} onClick={copy}>
        <IconLink size={17} aria-hidden />
      </ActionIcon>
    </Hint>
  );
}
