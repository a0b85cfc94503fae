/** Shown in place of a page that threw while rendering, or whose code could not be loaded. */
import { Button, Stack, Text, Title } from '@mantine/core';

export function FailedPage({ error }: { error: unknown }) {
  // Matches the browsers' messages for a failed module import, and Vite's for a failed style sheet.
  const isMissingCode = error instanceof Error && /dynamic|module|preload/i.test(error.message);
  return (
    <Stack align="center" justify="center" mih="60vh" gap={8} p={24} role="alert">
      <Title order={1}>
        {isMissingCode ? 'This page could not be loaded' : 'Something went wrong on this page'}
      </Title>
      <Text c="dimmed" ta="center" maw={440}>
        {isMissingCode
          ? 'A newer version of the console may be available, or the connection was lost.'
          : 'Nothing that you saved is lost. Loading the page again usually helps.'}
      </Text>
      <Button mt={8} onClick={() => window.location.reload()}>
        Reload
      </Button>
    </Stack>
  );
}
