/** The table of API keys. On small screens each row becomes a card. */
import { Box, Button, Skeleton, Table } from '@mantine/core';
import { IconKey, IconWorld } from '@tabler/icons-react';
import type { ApiKey } from '#contracts/console/api-keys';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import { MemberName } from '#web/session/member-name.tsx';
import { Age } from '#web/ui/age.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { KeyLimits } from './key-limits.tsx';
import { KeyValue } from './key-value.tsx';
import classes from './keys.module.css';

export interface KeysTableProps {
  readonly orgId: string;
  /** Undefined while loading. */
  readonly keys: readonly ApiKey[] | undefined;
  readonly onEdit: (apiKey: ApiKey) => void;
  readonly onRevoke: (apiKey: ApiKey) => void;
}

const SKELETONS = ['one', 'two'];

export function KeysTable({ orgId, keys, onEdit, onRevoke }: KeysTableProps) {
  if (keys?.length === 0) {
    return (
      <Box component="p" m={0} c="dimmed" ta="center" py={40} px={24} style={{ textWrap: 'balance' }}>
        No keys yet. Your app sends one with every access check. Create a secret key for your server to start.
      </Box>
    );
  }
  return (
    <Table className={classes.table} aria-label="API keys" highlightOnHover={false}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={110}>Type</Table.Th>
          <Table.Th>Key</Table.Th>
          <Table.Th w={210}>Limits</Table.Th>
          <Table.Th w={190}>Created</Table.Th>
          <Table.Th w={150}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys === undefined
          ? SKELETONS.map((name) => (
              <Table.Tr key={name}>
                <Table.Td>
                  <Skeleton height={14} width={60} />
                </Table.Td>
                <Table.Td>
                  <Skeleton height={14} width={260} maw="100%" />
                </Table.Td>
                <Table.Td>
                  <Skeleton height={14} width={140} />
                </Table.Td>
                <Table.Td>
                  <Skeleton height={14} width={120} />
                </Table.Td>
                <Table.Td />
              </Table.Tr>
            ))
          : keys.map((apiKey) => (
              <Table.Tr key={apiKey.id}>
                <Table.Td>
                  <KeyType type={apiKey.type} />
                </Table.Td>
                <Table.Td>
                  <KeyValue orgId={orgId} apiKey={apiKey} />
                </Table.Td>
                <Table.Td className={classes.limits}>
                  <KeyLimits apiKey={apiKey} />
                </Table.Td>
                <Table.Td className={classes.created}>
                  <Age at={apiKey.createdAt} />
                  {apiKey.createdByUserId !== null && (
                    <>
                      {' by '}
                      <MemberName orgId={orgId} userId={apiKey.createdByUserId} />
                    </>
                  )}
                </Table.Td>
                <Table.Td className={classes.rowEnd}>
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={`Edit limits of ${apiKey.maskedValue}`}
                    onClick={() => onEdit(apiKey)}
                  >
                    Edit
                  </Button>
                  <Button
                    variant="subtle"
                    color="red"
                    size="compact-sm"
                    aria-label={`Revoke ${apiKey.maskedValue}`}
                    onClick={() => onRevoke(apiKey)}
                  >
                    Revoke
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
      </Table.Tbody>
    </Table>
  );
}

function KeyType({ type }: { type: ApiKeyType }) {
  const Icon = type === 'secret' ? IconKey : IconWorld;
  return (
    <span className={classes.type}>
      <Icon size={15} stroke={1.6} aria-hidden />
      {type === 'secret' ? 'Secret' : 'Public'}
    </span>
  );
}
