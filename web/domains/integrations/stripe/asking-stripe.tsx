/** A note beside a button if its call to Stripe is slow. The Worker gives up after twenty seconds. */
import { Text } from '@mantine/core';
import classes from './stripe.module.css';

export function AskingStripe({ isAsking }: { isAsking: boolean }) {
  if (!isAsking) return null;
  return (
    <Text role="status" c="dimmed" fz="sm" className={classes.slow ?? ''}>
      Stripe is slow to answer. We wait up to twenty seconds; nothing that you entered is lost.
    </Text>
  );
}
