/** The table of users for platform staff: sign-in status, identity and organisations. */
import { ActionIcon, Badge, Box, Flex, Text } from '@mantine/core';
import {
  IconCircleCheck,
  IconCircleX,
  IconMailCheck,
  IconMailQuestion,
  IconPencil,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import type { SudoUser } from '#contracts/console/sudo';
import { paths } from '#web/paths.ts';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { formatDay } from '#web/ui/format.ts';
import { BreakableEmail } from '#web/ui/labels/breakable-email.tsx';
import { Hint } from '#web/ui/labels/hint.tsx';
import { ListTable } from '#web/ui/lists/list-table.tsx';
import classes from './sudo.module.css';

const ON = 'var(--mantine-color-green-filled)';
const OFF = 'var(--mantine-color-dimmed)';

/** @param users undefined while loading */
export function UsersTable({ users }: { users: readonly SudoUser[] | undefined }) {
  return (
    <ListTable
      label="Users"
      rows={users}
      rowKey={({ id }) => id}
      isSearchable={false}
      name={{ header: 'Name and ID', cell: ({ name }) => name, shown: (user) => <NameAndId user={user} /> }}
      columns={[
        { header: 'Email', cell: (user) => <Email user={user} />, width: '32%', isSecondary: true },
        {
          header: 'Organisations',
          cell: ({ memberOrganisations }) => (
            <Flex component="span" gap={4} wrap="wrap" py={8}>
              {memberOrganisations.map(({ id, name }) => (
                <Badge
                  key={id}
                  component="a"
                  href={paths.dashboard(id)}
                  variant="default"
                  tt="none"
                  fw={500}
                  style={{ cursor: 'pointer' }}
                >
                  {name}
                </Badge>
              ))}
            </Flex>
          ),
          width: 136,
          isSecondary: true,
        },
        {
          header: 'Created, Updated',
          cell: ({ createdAt, updatedAt }) => (
            <Box component="span" className="grid nowrap" style={{ gap: '2px' }}>
              <span>{formatDay(createdAt)}</span>
              <span className="muted regular">{formatDay(updatedAt)}</span>
            </Box>
          ),
          width: 132,
          isSecondary: true,
        },
      ]}
      actions={({ id, name }) => (
        <Hint label="Edit">
          <ActionIcon
            component={Link}
            to={paths.sudoUser(id)}
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Edit ${name}`}
          >
            <IconPencil size={16} aria-hidden />
          </ActionIcon>
        </Hint>
      )}
    />
  );
}

function NameAndId({ user: { id, name, email, enabled, sudo } }: { user: SudoUser }) {
  const [Icon, label] = enabled
    ? ([IconCircleCheck, 'Enabled'] as const)
    : ([IconCircleX, 'Disabled'] as const);
  return (
    <Box component="span" display="block" py={8}>
      <Flex component="span" display="inline-flex" align="center" gap={8} mb={4}>
        <Hint label={label}>
          <Icon size={16} role="img" aria-label={label} color={enabled ? ON : OFF} />
        </Hint>
        {name}
        {sudo && (
          <Badge color="red" variant="light">
            Sudo
          </Badge>
        )}
      </Flex>
      <span className={classes.id}>
        <CopyId value={id} label="user ID" />
      </span>
      {/* Where the email column has no room. */}
      <Text span c="dimmed" fw={400} display="block" className="breaks" inherit hiddenFrom="sm">
        <BreakableEmail email={email} />
      </Text>
    </Box>
  );
}

function Email({ user: { email, emailVerified } }: { user: SudoUser }) {
  const [Icon, label] = emailVerified
    ? ([IconMailCheck, 'Verified'] as const)
    : ([IconMailQuestion, 'Not verified'] as const);
  return (
    <span className={classes.email}>
      <Hint label={label}>
        <Icon size={16} role="img" aria-label={label} color={emailVerified ? ON : OFF} />
      </Hint>
      <span className="shrink">
        <BreakableEmail email={email} />
      </span>
    </span>
  );
}
