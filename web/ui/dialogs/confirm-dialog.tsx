/**
 * Asks for confirmation of an action that cannot be undone. The button repeats the action and the item's name. An action
 * that takes something away from customers or from running software asks to type the name; others only ask.
 */
import { Button, Modal, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { DialogFooter } from './dialog-footer.tsx';
import { isTypedName } from './is-typed-name.ts';

export interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  /** 'Delete Pro'. */
  readonly confirmLabel: string;
  /** Replaces 'Cancel' when that could be mistaken for the action. */
  readonly dismissLabel?: string;
  /** The name to type before the action is possible. */
  readonly typedName?: string | undefined;
  readonly onConfirm: () => void;
  readonly isBusy: boolean;
  /** False if the action can be undone. */
  readonly isDanger?: boolean;
  readonly size?: string | number;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title, isBusy, size = 440 } = props;
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} size={size} closeOnEscape={!isBusy}>
      <Confirmation {...props} />
    </Modal>
  );
}

/** Mounts when the dialog opens, so a typed name is never kept. */
function Confirmation(props: ConfirmDialogProps) {
  const { onClose, children, confirmLabel, dismissLabel = 'Cancel', typedName } = props;
  const { onConfirm, isBusy, isDanger = true } = props;
  const [typed, setTyped] = useState('');
  const isAllowed = typedName === undefined || isTypedName(typed, typedName);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // The dialog may be inside a form: React passes its events on, although it is elsewhere on the page.
        event.stopPropagation();
        if (isAllowed && !isBusy) onConfirm();
      }}
    >
      <Text c="dimmed" component="div">
        {children}
      </Text>
      {typedName !== undefined && (
        <TextInput
          mt={16}
          label={`Type ${typedName} to confirm`}
          value={typed}
          autoComplete="off"
          data-autofocus
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <DialogFooter>
        <Button
          variant="default"
          onClick={onClose}
          disabled={isBusy}
          {...(typedName === undefined && { 'data-autofocus': true })}
        >
          {dismissLabel}
        </Button>
        <Button type="submit" {...(isDanger && { color: 'red' })} disabled={!isAllowed} loading={isBusy}>
          {confirmLabel}
        </Button>
      </DialogFooter>
    </form>
  );
}
