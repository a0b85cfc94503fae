/**
 * Asks before changes are lost: on leaving the page within the console, and on closing or reloading it. Rendered by
 * whatever holds a form.
 */
import { Button, Group, Modal, Text } from '@mantine/core';
import { useBeforeUnload, useBlocker } from 'react-router';

export interface UnsavedChangesProps {
  /** Asked at the moment of leaving, so that a form just saved can say no at once. */
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
      // Above the dialog whose form it is about.
      zIndex={300}
    >
      <Text c="dimmed">Your changes on this page are not saved yet. They are lost when you leave.</Text>
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="default" onClick={() => blocker.reset?.()} data-autofocus>
          Stay
        </Button>
        <Button color="red" onClick={() => blocker.proceed?.()}>
          Leave without saving
        </Button>
      </Group>
    </Modal>
  );
}
