/** The menu at the end of a row. */
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';

export interface RowMenuProps {
  /** What the row is, for screen readers. */
  readonly name: string;
  /** Menu.Item elements. */
  readonly children: ReactNode;
}

export function RowMenu({ name, children }: RowMenuProps) {
  const target = useRef<HTMLButtonElement>(null);
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon ref={target} aria-label={`Actions for ${name}`}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      {/* A dialog that an item opens gives the focus back to where it was: not to an item that is gone by then. */}
      <Menu.Dropdown onClickCapture={() => target.current?.focus()}>{children}</Menu.Dropdown>
    </Menu>
  );
}
