/** A dialog that creates or edits one item. Esc and a click outside close it unless something was entered. */
import { Button, Group, Modal } from '@mantine/core';
import { type FormEventHandler, type ReactNode, useEffect, useRef } from 'react';
import fields from './fields.module.css';
import classes from './form-dialog.module.css';

export interface FormDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly submitLabel: string;
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  readonly isBusy: boolean;
  readonly isDirty: boolean;
  readonly size?: string | number;
  /** The action cannot be undone. */
  readonly isDanger?: boolean;
  readonly children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const { isOpen, onClose, title, submitLabel, onSubmit, isBusy, isDirty, size = 480, children } = props;
  const { isDanger = false } = props;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isBusy) return;
    const frame = requestAnimationFrame(() => focusInvalid(form.current));
    return () => cancelAnimationFrame(frame);
  }, [isBusy]);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={size}
      closeOnEscape={!isDirty}
      closeOnClickOutside={!isDirty}
    >
      <form
        ref={form}
        onSubmit={(event) => {
          onSubmit(event);
          requestAnimationFrame(() => focusInvalid(form.current));
        }}
        noValidate
      >
        <fieldset className={fields.fields} disabled={isBusy} style={{ maxWidth: 'none' }}>
          {children}
        </fieldset>
        <Group justify="flex-end" gap={8} className={classes.footer}>
          <Button variant="default" onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy} {...(isDanger && { color: 'red' })}>
            {submitLabel}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

/** Scrolls to and focuses the first invalid field after a failed submit. */
function focusInvalid(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
