/** The actions menu of a row that can be edited (in place or on its own page) and deleted. */
import { Menu } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { Link } from 'react-router';
import { RemoveItem, RowMenu } from './row-menu.tsx';

export interface EditDeleteMenuProps {
  /** The row's name, for screen readers. */
  readonly name: string;
  /** The path of the edit page, or the function that starts editing. */
  readonly edit: string | (() => void);
  /** Undefined if the row cannot be deleted. */
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
      {onDelete && <RemoveItem onClick={onDelete}>Delete</RemoveItem>}
    </RowMenu>
  );
}
