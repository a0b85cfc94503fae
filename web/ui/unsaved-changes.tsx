/**
 * Asks for confirmation before unsaved changes are lost: on navigation, and on closing or reloading the page. Rendered
 * by pages and dialogs with a form.
 */
import { Button, Modal, Text } from '@mantine/core';
import { useBeforeUnload, useBlocker } from 'react-router';
import { DialogFooter } from './dialog-footer.tsx';

export interface UnsavedChangesProps {
  /** Called at the moment of navigation, so a form that was just saved can return false immediately. */
  readonly isDirty: () => boolean;
}

export function UnsavedChanges({ isDirty }: UnsavedChangesProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && isDirty(),
  );
  useBeforeUnload((event) => {
    if (isDirty()) event.preventDefault();
  });
  return (
    <Modal
      opened={blocker.state === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Leave without saving?"
      size="sm"
      // Above the dialog with the form.
      zIndex={300}
    >
      <Text c="dimmed">Your changes on this page are not saved and will be lost.</Text>
      <DialogFooter>
        <Button variant="default" onClick={() => blocker.reset?.()} data-autofocus>
          Stay
        </Button>
        <Button color="red" onClick={() => blocker.proceed?.()}>
          Leave without saving
        </Button>
      </DialogFooter>
    </Modal>
  );
}
