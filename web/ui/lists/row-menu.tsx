/** A row's actions menu. The menu mounts at the first click, because a page can have hundreds of rows. */
import { Menu, type MenuItemProps } from '@mantine/core';
import { IconDots, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import classes from './row-menu.module.css';

export interface RowMenuProps {
  /** The row's name, for screen readers. */
  readonly name: string;
  /** Menu.Item elements. */
  readonly children: ReactNode;
}

export function RowMenu({ name, children }: RowMenuProps) {
  const [isUsed, setIsUsed] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  const button = (
    <button
      ref={target}
      type="button"
      className={classes.target}
      aria-label={`Actions for ${name}`}
      aria-haspopup="menu"
      aria-expanded={false}
      {...(!isUsed && { onClick: () => setIsUsed(true) })}
    >
      <IconDots size={17} aria-hidden />
    </button>
  );
  if (!isUsed) return button;
  return (
    // The menu gives the focus back to the button that it replaced. A dialog that an item opens gives it back to where it was: not to
    // an item that is gone by then.
    <Menu position="bottom-end" width={200} defaultOpened onClose={() => target.current?.focus()}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown onClickCapture={() => target.current?.focus()}>{children}</Menu.Dropdown>
    </Menu>
  );
}

/** The item that deletes the row or takes it away. */
export function RemoveItem(props: MenuItemProps & { readonly onClick: () => void }) {
  return <Menu.Item color="red" leftSection={<IconTrash size={15} aria-hidden />} {...props} />;
}
