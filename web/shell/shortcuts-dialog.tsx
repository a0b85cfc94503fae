/** All keyboard shortcuts. Opens with `?`, and from the command palette. */
import { Modal, SimpleGrid } from '@mantine/core';
import { shortcutLabels } from './shortcut-labels.ts';
import classes from './shortcuts-dialog.module.css';

const GROUPS = [
  {
    title: 'Everywhere',
    shortcuts: [
      [shortcutLabels.palette, 'Search and commands'],
      [shortcutLabels.sidebar, 'Show or hide the sidebar'],
      [shortcutLabels.shortcuts, 'Keyboard shortcuts'],
      ['Alt T', 'Move to the notifications'],
      ['Esc', 'Close what is open'],
    ],
  },
  {
    title: 'Customers and events',
    shortcuts: [
      ['J', 'Next row'],
      ['K', 'Previous row'],
      ['Enter', 'Open the row'],
      ['Space', 'Preview a customer'],
      ['/', 'Search'],
    ],
  },
  {
    title: 'Charts',
    shortcuts: [
      ['← →', 'Move along the chart'],
      ['Shift ← →', 'Select a range'],
      ['Enter', 'Open the selected events'],
    ],
  },
  {
    title: 'Comparison of plans',
    shortcuts: [
      ['← ↑ → ↓', 'Move to another value'],
      ['Enter', 'Edit the value'],
      ['Home', 'First plan'],
      ['End', 'Last plan'],
      ['Page Up', 'Ten rows up'],
      ['Page Down', 'Ten rows down'],
    ],
  },
  {
    title: 'Code editor',
    shortcuts: [
      [shortcutLabels.save, 'Save'],
      [shortcutLabels.leaveEditor, 'Switch what Tab does: indent, or leave the editor'],
      ['F1', 'Editor commands'],
    ],
  },
] as const;

export interface ShortcutsDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function ShortcutsDialog({ isOpen, onClose }: ShortcutsDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts" size={560}>
      <SimpleGrid minColWidth="min(220px, 100%)" autoFlow="auto-fit" spacing={32} verticalSpacing={20}>
        {GROUPS.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className="flush muted small medium">{title}</h3>
            <dl className="flush">
              {shortcuts.map(([keys, what]) => (
                <div key={what} className={classes.row}>
                  <dt>{what}</dt>
                  <dd className="flush">
                    <kbd className={classes.keys}>{keys}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </SimpleGrid>
    </Modal>
  );
}
