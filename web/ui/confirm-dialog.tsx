/** Asks for confirmation of an action that cannot be undone. The button repeats the action and the item's name. */
import { Button, Group, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  /** 'Delete Pro'. */
  readonly confirmLabel: string;
  /** Replaces 'Cancel' when that could be mistaken for the action. */
  readonly dismissLabel?: string;
  readonly onConfirm: () => void;
  readonly isBusy: boolean;
  /** False if the action can be undone. */
  readonly isDanger?: boolean;
  readonly size?: string | number;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    isOpen,
    onClose,
    title,
    children,
    confirmLabel,
    dismissLabel = 'Cancel',
    onConfirm,
    isBusy,
    isDanger = true,
    size = 440,
  } = props;
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} size={size}>
      <Text c="dimmed" component="div">
        {children}
      </Text>
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {dismissLabel}
        </Button>
        <Button {...(isDanger && { color: 'red' })} loading={isBusy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </Group>
    </Modal>
  );
}
