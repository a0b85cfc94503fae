/** The sidebar on small screens: a sheet over the page, 18rem wide. Loaded on small screens only. */
import { Drawer } from '@mantine/core';
import classes from './dashboard-layout.module.css';
import { Sidebar } from './sidebar.tsx';

export interface SidebarSheetProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function SidebarSheet({ isOpen, onClose }: SidebarSheetProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      size="18rem"
      withCloseButton={false}
      padding={0}
      attributes={{ content: { 'aria-label': 'Navigation' } }}
      classNames={{ body: classes.sheet ?? '' }}
      transitionProps={{ duration: 160 }}
    >
      <Sidebar isCollapsed={false} onNavigate={onClose} />
    </Drawer>
  );
}
