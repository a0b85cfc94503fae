/** Says that a read has failed and is tried again, while the page still shows skeletons. */
import { useIsFetching } from '@tanstack/react-query';
import classes from './retrying.module.css';

export function Retrying() {
  const count = useIsFetching({
    predicate: ({ state }) => state.data === undefined && state.fetchFailureCount > 0,
  });
  return (
    <p className={classes.retrying} role="status" hidden={count === 0}>
      {count > 0 && 'The server did not respond. Retrying…'}
    </p>
  );
}
