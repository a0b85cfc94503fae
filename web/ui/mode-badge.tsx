/** Whether an item belongs to a payment provider's test mode or live mode. Text, never colour alone. */
import classes from './mode-badge.module.css';

export function ModeBadge({ isTest }: { isTest: boolean }) {
  return (
    <span className={classes.mode} data-mode={isTest ? 'test' : 'live'}>
      {isTest ? 'Test' : 'Live'}
    </span>
  );
}
