/** In place of a page that broke while it was shown, or whose code could not be fetched. */
import { Button, Stack, Text, Title } from '@mantine/core';
import { useRouteError } from 'react-router';

export function FailedPage() {
  const error = useRouteError();
  // The browser's words, and the builder's for a style sheet.
  const isMissingCode = error instanceof Error && /dynamic|module|preload/i.test(error.message);
  return (
    <Stack align="center" justify="center" mih="60vh" gap={8} p={24} role="alert">
      <Title order={1}>{isMissingCode ? 'This page could not be loaded' : 'This page broke'}</Title>
      <Text c="dimmed" ta="center" maw={440}>
        {isMissingCode
          ? 'A newer version of the console may be there, or the connection was lost.'
          : 'Nothing that you saved is lost. Loading the page again usually helps.'}
      </Text>
      <Button mt={8} onClick={() => window.location.reload()}>
        Load again
      </Button>
    </Stack>
  );
}
