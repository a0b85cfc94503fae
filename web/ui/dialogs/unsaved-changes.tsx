/**
 * Asks for confirmation before unsaved changes are lost: on navigation, on log-out, and on closing or reloading the page.
 * Rendered by pages and dialogs with a form. Of several on a page, one asks for all.
 */
import { Button, Modal, Text } from '@mantine/core';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { type Location, useBeforeUnload, useBlocker } from 'react-router';
import { DialogFooter } from './dialog-footer.tsx';
import {
  answerQuestion,
  type GuardedForm,
  guardForm,
  hasUnsaved,
  isAsked,
  isAsking,
  losesUnsaved,
  watchForms,
} from './guarded-forms.ts';

export interface UnsavedChangesProps {
  /** Called at the moment of navigation, so a form that was just saved can return false immediately. */
  readonly isDirty: () => boolean;
  /** A parameter of the address that the form belongs to, besides the path. */
  readonly param?: string | undefined;
}

export function UnsavedChanges({ isDirty, param }: UnsavedChangesProps) {
  const isDirtyNow = useEffectEvent(isDirty);
  const placeOf = useEffectEvent(({ pathname, search }: Location) =>
    param === undefined ? pathname : `${pathname} ${new URLSearchParams(search).get(param)}`,
  );
  const [form, setForm] = useState<GuardedForm | null>(null);
  useEffect(() => {
    const guarded = { isDirty: () => isDirtyNow(), placeOf: (location: Location) => placeOf(location) };
    setForm(guarded);
    return guardForm(guarded);
  }, []);
  const isFirst = useSyncExternalStore(watchForms, () => form !== null && isAsking(form));
  return isFirst && <LeaveQuestion />;
}

function LeaveQuestion() {
  const blocker = useBlocker(({ currentLocation, nextLocation }) =>
    losesUnsaved(currentLocation, nextLocation),
  );
  useBeforeUnload((event) => {
    if (hasUnsaved()) event.preventDefault();
  });
  const isOpen = useSyncExternalStore(watchForms, isAsked);
  const stay = () => {
    blocker.reset?.();
    answerQuestion(false);
  };
  const leave = () => {
    blocker.proceed?.();
    answerQuestion(true);
  };
  return (
    <Modal
      opened={isOpen || blocker.state === 'blocked'}
      onClose={stay}
      title="Leave without saving?"
      size="sm"
      // Above the dialog with the form.
      zIndex={300}
    >
      <Text c="dimmed">Your changes on this page are not saved and will be lost.</Text>
      <DialogFooter>
        <Button variant="default" onClick={stay} data-autofocus>
          Stay
        </Button>
        <Button color="red" onClick={leave}>
          Leave without saving
        </Button>
      </DialogFooter>
    </Modal>
  );
}
