/** Replaces content that failed to load: what failed and why, what to do, a retry button, and the request id for support. */
import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { CopyId } from '../copy/copy-id.tsx';

export interface ErrorStateProps {
  readonly title: string;
  readonly error: Error & { readonly requestId?: string | undefined };
  readonly onRetry?: (() => unknown) | undefined;
}

export function ErrorState({ title, error, onRetry }: ErrorStateProps) {
  return (
    <Stack gap={20} align="center" justify="center" py={56} px={24} className="card" role="alert">
      <Stack gap={12} align="center">
        <Box component="span" bdrs="md" w={36} h={36} className="centre denied">
          <IconAlertTriangle size={18} aria-hidden />
        </Box>
        <Stack gap={4} align="center">
          <Text fw={600}>{title}</Text>
          <Text c="dimmed" ta="center" maw={420}>
            {error.message || 'Something went wrong on our side. Try again, or reload the page.'}
          </Text>
        </Stack>
        {onRetry && (
          <Button
            variant="default"
            leftSection={<IconRefresh size={15} aria-hidden />}
            onClick={() => onRetry()}
          >
            Try again
          </Button>
        )}
        {error.requestId && (
          <Group gap={8} justify="center" fz="xs" c="dimmed" mt={4}>
            Request ID <CopyId value={error.requestId} label="request ID" />
          </Group>
        )}
      </Stack>
    </Stack>
  );
}
