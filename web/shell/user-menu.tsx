/** User avatar with a menu: email, account, log out. */
import { Avatar, Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconLogout, IconUser } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { useSession } from '#web/session/session.ts';
import { initialsOf } from '#web/ui/labels/initials.ts';
import { useLogOut } from './use-log-out.ts';

export function UserMenu() {
  const { user } = useSession();
  const { logOut, isPending } = useLogOut();
  if (user === null) return null;
  return (
    <Menu position="bottom-end" width={232}>
      <Menu.Target>
        <UnstyledButton w="var(--control-height)" h="var(--control-height)" bdrs={999} className="centre">
          <VisuallyHidden>Your menu</VisuallyHidden>
          <span aria-hidden>
            <Avatar src={user.image} alt="" size={28} radius="xl" color="verdigris">
              {initialsOf(user.name)}
            </Avatar>
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>{user.email}</Menu.Label>
        <Menu.Item component={Link} to={paths.account} leftSection={<IconUser size={15} aria-hidden />}>
          Account
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={15} aria-hidden />}
          onClick={() => void logOut()}
          disabled={isPending}
        >
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
