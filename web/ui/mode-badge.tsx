/** Whether something is of a payment provider's test mode or of its live one: a word, never a colour alone. */
import classes from './mode-badge.module.css';

export function ModeBadge({ isTest }: { isTest: boolean }) {
  return (
    <span className={classes.mode} data-mode={isTest ? 'test' : 'live'}>
      {isTest ? 'Test' : 'Live'}
    </span>
  );
}
