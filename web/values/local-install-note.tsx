/** Beside an example that installs the client from a local server: why it is packed first. */
import { Text } from '@mantine/core';
import { isLocalOrigin, LOCAL_INSTALL_NOTE } from '#contracts/public/install-command';

/** @param origin of the server that serves the package */
export function LocalInstallNote({ origin }: { origin: string }) {
  if (!isLocalOrigin(origin)) return null;
  return (
    <Text size="sm" c="dimmed" maw="68ch">
      {LOCAL_INSTALL_NOTE}
    </Text>
  );
}
