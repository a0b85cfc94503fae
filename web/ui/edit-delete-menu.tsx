/** The menu of a row that can be edited, on a page of its own or where it stands, and deleted. */
import { Menu } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import { RowMenu } from './row-menu.tsx';

export interface EditDeleteMenuProps {
  /** What the row is, for screen readers. */
  readonly name: string;
  /** The address of its page, or what opens it. */
  readonly edit: string | (() => void);
  /** Absent where it cannot be deleted. */
  readonly onDelete?: (() => void) | undefined;
}

export function EditDeleteMenu({ name, edit, onDelete }: EditDeleteMenuProps) {
  const pencil = <IconPencil size={15} aria-hidden />;
  return (
    <RowMenu name={name}>
      {typeof edit === 'string' ? (
        <Menu.Item component={Link} to={edit} leftSection={pencil}>
          Edit
        </Menu.Item>
      ) : (
        <Menu.Item leftSection={pencil} onClick={edit}>
          Edit
        </Menu.Item>
      )}
      {onDelete && (
        <Menu.Item color="red" leftSection={<IconTrash size={15} aria-hidden />} onClick={onDelete}>
          Delete
        </Menu.Item>
      )}
    </RowMenu>
  );
}
