/** Page for unknown URLs. */
import { Button, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { Mosaic } from '#web/ui/mosaic.tsx';
import classes from './not-found.module.css';

export function NotFoundPage() {
  return (
    <main className={classes.page}>
      <title>Not found · Tessera</title>
      <Mosaic columns={7} rows={3} seed={11} density={0.55} className={classes.mosaic} />
      <Title order={1} className={classes.code}>
        404
      </Title>
      <Text c="dimmed">There is no page at this address.</Text>
      <Button component={Link} to={paths.home} mt={8}>
        Take me home
      </Button>
    </main>
  );
}
