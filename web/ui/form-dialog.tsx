/** A dialog that creates or edits one thing. Esc and a click outside close it unless something was entered. */
import { Button, Group, Modal } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import classes from './fields.module.css';

export interface FormDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly submitLabel: string;
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  readonly isBusy: boolean;
  readonly isDirty: boolean;
  readonly size?: string | number;
  readonly children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const { isOpen, onClose, title, submitLabel, onSubmit, isBusy, isDirty, size = 480, children } = props;
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={size}
      closeOnEscape={!isDirty}
      closeOnClickOutside={!isDirty}
    >
      <form onSubmit={onSubmit} noValidate>
        <fieldset className={classes.fields} disabled={isBusy} style={{ maxWidth: 'none' }}>
          {children}
        </fieldset>
        <Group justify="flex-end" gap={8} mt={24}>
          <Button variant="default" onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            {submitLabel}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
