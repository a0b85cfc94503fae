/** Shown on the whole page until the guards know which page to render. */
import { Center, Loader } from '@mantine/core';

export function FullPageSpinner() {
  return (
    <Center mih="100dvh" role="status" aria-label="Loading">
      <Loader size="sm" />
    </Center>
  );
}
