/** Page for unknown URLs: inside the console for who is signed in, by itself otherwise. */
import { Button, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { useSession } from '#web/session/session.ts';
import { HeaderCrumbs } from '#web/ui/page/header-slot.tsx';
import { Mosaic } from '#web/ui/states/mosaic.tsx';
import classes from './not-found.module.css';

export function NotFoundPage() {
  const isInside = useSession().user !== null;
  return (
    <Stack
      {...(!isInside && { component: 'main' })}
      tabIndex={-1}
      style={{ outline: 'none' }}
      gap={8}
      align="center"
      justify="center"
      ta="center"
      mih={isInside ? '70dvh' : '100dvh'}
      p={24}
    >
      <title>Not found · Tessera</title>
      {isInside && <HeaderCrumbs crumbs={[{ label: 'Not found' }]} />}
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
