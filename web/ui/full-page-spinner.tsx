/** What a whole page shows while it is not known yet what it may show. */
import { Center, Loader } from '@mantine/core';

export function FullPageSpinner() {
  return (
    <Center mih="100dvh" role="status" aria-label="Loading">
      <Loader size="sm" />
    </Center>
  );
}
