/**
 * A dialog that creates or edits one item. The first field has the focus. Esc, a click outside and the close button ask
 * before they discard what was entered: the question replaces the footer, because a dialog above a dialog traps the focus
 * twice. 'Cancel' says what it does and closes at once. Leaving the page asks as on every page (`UnsavedChanges`).
 */
import { Button, Modal } from '@mantine/core';
import { type FormEventHandler, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Fields } from '../inputs/fields.tsx';
import { DialogFooter } from './dialog-footer.tsx';
import { UnsavedChanges } from './unsaved-changes.tsx';

export interface FormDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly submitLabel: string;
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  readonly isBusy: boolean;
  readonly isSubmitDisabled?: boolean;
  readonly isDirty: boolean;
  /** The same at the moment of navigation, for a dialog that leads to another page once it has saved. */
  readonly isDirtyNow?: () => boolean;
  /** A parameter of the address that the dialog belongs to, besides the path. */
  readonly param?: string;
  readonly size?: string | number;
  /** The action cannot be undone. */
  readonly isDanger?: boolean;
  readonly children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const { isOpen, onClose, title, submitLabel, onSubmit, isBusy, isDirty, size = 480, children } = props;
  const { isSubmitDisabled = false, isDanger = false, isDirtyNow = () => isDirty, param } = props;
  const form = useRef<HTMLFormElement>(null);
  const [isAsking, setIsAsking] = useState(false);
  if (isAsking && !(isOpen && isDirty)) setIsAsking(false);
  /** Esc answers the question with no. */
  const leave = () => {
    if (isBusy) return;
    if (isDirty) setIsAsking(!isAsking);
    else onClose();
  };
  useEffect(() => {
    if (isBusy) return;
    const frame = focusInvalidNext(form);
    return () => cancelAnimationFrame(frame);
  }, [isBusy]);
  return (
    <Modal opened={isOpen} onClose={leave} title={title} size={size}>
      <form
        ref={(element) => {
          form.current = element;
          markFirstField(element);
        }}
        onSubmit={(event) => {
          onSubmit(event);
          focusInvalidNext(form);
        }}
        noValidate
      >
        <UnsavedChanges isDirty={() => isOpen && isDirtyNow()} param={param} />
        <Fields isWide isDisabled={isBusy}>
          {children}
        </Fields>
        {isAsking ? (
          <LeaveQuestion onStay={leave} onDiscard={onClose} />
        ) : (
          <DialogFooter>
            <Button variant="default" onClick={onClose} disabled={isBusy}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={isBusy}
              disabled={isSubmitDisabled}
              {...(isDanger && { color: 'red' })}
            >
              {submitLabel}
            </Button>
          </DialogFooter>
        )}
      </form>
    </Modal>
  );
}

function LeaveQuestion({ onStay, onDiscard }: { onStay: () => void; onDiscard: () => void }) {
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    stay.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <DialogFooter role="alert" text={<span className="medium">Discard what you entered?</span>}>
      <Button ref={stay} variant="default" onClick={onStay}>
        Keep editing
      </Button>
      <Button color="red" onClick={onDiscard}>
        Discard
      </Button>
    </DialogFooter>
  );
}

/** The dialog focuses this field when it opens, unless the form names another. */
function markFirstField(form: HTMLFormElement | null): void {
  if (form === null || form.querySelector('[data-autofocus]') !== null) return;
  form
    .querySelector('input:enabled, textarea:enabled, select:enabled')
    ?.setAttribute('data-autofocus', 'true');
}

/**
 * Scrolls to and focuses the first invalid field after a failed submit, once it is drawn. A busy computer draws late: what has got the focus
 * meanwhile keeps it.
 */
function focusInvalidNext(form: RefObject<HTMLFormElement | null>): number {
  const before = document.activeElement;
  return requestAnimationFrame(() => {
    if (document.activeElement !== before && document.activeElement !== document.body) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  });
}
