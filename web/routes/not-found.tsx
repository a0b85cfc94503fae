/** Page for unknown URLs. */
import { Button, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { Mosaic } from '#web/ui/mosaic.tsx';
import classes from './not-found.module.css';

export function NotFoundPage() {
  return (
    <Stack
      component="main"
      tabIndex={-1}
      style={{ outline: 'none' }}
      gap={8}
      align="center"
      justify="center"
      ta="center"
      mih="100dvh"
      p={24}
    >
      <title>Not found · Tessera</title>
      <Mosaic columns={7} rows={3} seed={11} density={0.55} className={classes.mosaic} />
      <Title order={1} ff="monospace" fz="2.5rem" style={{ letterSpacing: '0.04em' }}>
        404
      </Title>
      <Text c="dimmed">This page does not exist.</Text>
      <Button component={Link} to={paths.home} mt={8}>
        Take me home
      </Button>
    </Stack>
  );
}
