/** Downloads what the search finds. */
import { Button, Menu } from '@mantine/core';
import { IconBraces, IconDownload, IconTable } from '@tabler/icons-react';
import { type EventCriteria, eventEndpoints } from '#contracts/console/events';
import { addressOf } from '#web/api/call.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { formatInstant } from '#web/ui/format.ts';
import classes from './events.module.css';
import { criteriaText } from './queries.ts';

export interface ExportMenuProps {
  readonly criteria: EventCriteria;
  /** The instant before which events are archived, if the search begins earlier. */
  readonly listedFrom: number | null;
}

export function ExportMenu({ criteria, listedFrom }: ExportMenuProps) {
  const orgId = useOrgId();
  const address = (format: 'csv' | 'ndjson') =>
    addressOf(eventEndpoints.export, { orgId }, { criteria: criteriaText(criteria), format });
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button
          variant="default"
          aria-label="Export"
          classNames={{ section: classes.exportIcon ?? '' }}
          leftSection={<IconDownload size={15} aria-hidden />}
        >
          <span className={classes.exportLabel}>Export</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>This search, up to 100,000 events</Menu.Label>
        {listedFrom !== null && (
          <Menu.Label>Without events before {formatInstant(listedFrom)}, which are archived</Menu.Label>
        )}
        <Menu.Item
          component="a"
          href={address('csv')}
          download
          leftSection={<IconTable size={15} aria-hidden />}
        >
          CSV, for spreadsheets
        </Menu.Item>
        <Menu.Item
          component="a"
          href={address('ndjson')}
          download
          leftSection={<IconBraces size={15} aria-hidden />}
        >
          NDJSON, with requests and responses
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
