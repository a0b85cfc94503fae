/** A note beside a button if its call to Stripe is slow. The Worker gives up after twenty seconds. */
import { Text } from '@mantine/core';
import classes from './stripe.module.css';

export function AskingStripe({ isAsking }: { isAsking: boolean }) {
  if (!isAsking) return null;
  return (
    <Text role="status" c="dimmed" fz="sm" className={classes.slow ?? ''}>
      Stripe is responding slowly. We wait up to 20 seconds. What you entered is kept.
    </Text>
  );
}
